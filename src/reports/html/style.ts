/** CSS of the report: light and dark mode, print, narrow screens. It loads no font and no image. */
export const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--line:#d1d9e0;--page:#fff;--card:#f6f8fa;--code:#eef1f4;
--pass:#1a7f37;--fail:#cf222e;--warn:#9a6700;--open:#6e7781;--mark:#fff1c2;--link:#0969da;--onbadge:#fff}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--page:#0d1117;--card:#151b23;
--code:#1c232c;--pass:#3fb950;--fail:#f85149;--warn:#d29922;--open:#9198a1;--mark:#4b3a0a;--link:#4493f8;--onbadge:#0d1117}}
*{box-sizing:border-box}
html{scroll-padding-top:3.5rem}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main,header{max-width:72rem;margin:0 auto;padding:0 1rem}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
h1{font-size:1.5rem;margin:1.5rem 0 .25rem}
h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
.passed{--tone:var(--pass)}.failed,.error{--tone:var(--fail)}.warned{--tone:var(--warn)}.open{--tone:var(--open)}
.badge{display:inline-block;background:var(--tone);color:var(--onbadge);font-weight:700;border-radius:.3rem;padding:.1rem .6rem;
letter-spacing:.03em}
.verdict{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin:.75rem 0;font-size:1.1rem}
.jump{display:inline-block;border:1px solid var(--fail);border-radius:.3rem;padding:.2rem .7rem;font-size:.95rem;text-decoration:none;
color:var(--fail);font-weight:600}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:.5rem 0;color:var(--soft);font-size:.9rem}
.facts div{display:flex;gap:.4rem}.facts dt{font-weight:600}.facts dd{margin:0;overflow-wrap:anywhere}
.note{border-left:.25rem solid var(--warn);background:var(--card);padding:.5rem .75rem;margin:.75rem 0;overflow-wrap:anywhere}
nav{position:sticky;top:0;z-index:1;background:var(--page);border-bottom:1px solid var(--line)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0 auto;padding:.5rem 1rem;max-width:72rem;font-size:.9rem}
nav a{text-decoration:none}nav b{color:var(--tone)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--soft);font-weight:600}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
td.n.some{color:var(--tone);font-weight:700}
svg.bar{width:9rem;height:.6rem;display:block;border-radius:.3rem}
svg.bar rect{fill:var(--tone)}
details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;background:var(--page)}
summary{cursor:pointer;padding:.45rem .75rem;overflow-wrap:anywhere}
details[open]>summary{border-bottom:1px solid var(--line)}
.check{border-left:.3rem solid var(--tone)}
.check>summary b{font-family:ui-monospace,monospace;font-size:.9em}
.id{font-family:ui-monospace,monospace}
.tag{color:var(--soft);font-size:.85em;border:1px solid var(--line);border-radius:1rem;padding:0 .5rem;margin:0 .25rem;white-space:nowrap}
.inside{padding:.5rem .75rem}
.inside p{margin:.25rem 0 .5rem;overflow-wrap:anywhere}
.pairs{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem .9rem;margin:.5rem 0}
.pairs dt{color:var(--soft);font-weight:600}.pairs dd{margin:0;min-width:0}
code,pre{font:.85em/1.45 ui-monospace,SFMono-Regular,Consolas,monospace;unicode-bidi:plaintext}
.pairs code{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--code);border-radius:.25rem;padding:.05rem .3rem}
pre{margin:.25rem 0;padding:.5rem .6rem;background:var(--code);border-radius:.3rem;overflow-x:auto;max-height:32rem}
pre.wrap{white-space:pre-wrap;overflow-wrap:anywhere}
mark{display:block;background:var(--mark);color:inherit;border-left:.2rem solid var(--warn);margin-left:-.4rem;padding-left:.2rem}
.panes{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem;padding:.5rem .75rem}
.panes h4{margin:.1rem 0;font-size:.9rem;overflow-wrap:anywhere}
.panes details{border:0;margin:0}.panes details>summary{padding:.1rem 0;color:var(--soft);font-size:.85rem;border:0}
.when{display:block;margin-left:1.15rem}
.small{color:var(--soft);font-size:.85rem}
footer{color:var(--soft);font-size:.85rem;margin:2rem 0;overflow-wrap:anywhere}
@media (max-width:45rem){html{scroll-padding-top:5rem}.panes,.pairs{grid-template-columns:minmax(0,1fr)}.pairs dd{margin-bottom:.35rem}}
@media screen and (max-width:45rem){table :is(th,td):nth-child(2){display:none}th,td{padding:.3rem .4rem}
th.n{writing-mode:vertical-rl;transform:rotate(180deg);padding:.4rem .3rem}}
.paper{display:none}
@media print{:root{color-scheme:light}html{font-size:11px}body{font-size:1rem}nav,.jump,#exchanges{display:none}.paper{display:block}
.scroll{overflow:visible}th,td{padding:.3rem .4rem}pre{max-height:none;white-space:pre-wrap;overflow-wrap:anywhere}
.badge{border:1px solid;color:var(--ink);background:none}
:is(#failed,#errors,#warned,#open) details::details-content{content-visibility:visible;display:block}.check{break-inside:avoid-page}}
`

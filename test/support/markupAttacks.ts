/** Texts that a hostile partner may send, each of which does something where it is taken for markup. */
export const attacks: ReadonlyArray<string> = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(1)</script>",
  "</style><svg onload=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "javascript:alert(1)",
  '"><a href="javascript:alert(1)" autofocus onfocus=alert(1)>x</a>',
  "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
  "<base href=https://evil.example/><form action=https://evil.example/><input type=submit>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "{{constructor.constructor('alert(1)')()}}",
  "=cmd|' /C calc'!A0"
]

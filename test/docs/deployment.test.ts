/** The compose file, the manifests for Kubernetes and the balancer's configuration agree with each other and with the service. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { settings } from "../../src/Settings.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const yaml = (path: string) => parse(read(path), { merge: true })

const variables = new Set(Object.values(settings).map(({ variable }) => variable as string))
/** Read by node-postgres itself. */
const drivers = ["PGPASSWORD"]
const dockerfile = read(".docker/Dockerfile")
const port = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1])
/** How long a process takes to stop at most, as docs/operations.md says. */
const stopSeconds = Number(/so give it (\d+)/.exec(read("docs/operations.md"))?.[1])
const haproxy = read("docs/proxy/haproxy.cfg")
const routes = read("src/http/handlers/HealthHttp.ts")

const compose = yaml("docker-compose.yml").services
const kubernetes = "deploy/kubernetes"
const deployment = yaml(`${kubernetes}/deployment.yaml`)
const pod = deployment.spec.template.spec
const [container] = pod.containers

describe("docker-compose.yml", () => {
  const processes = ["plugfest", "plugfest-2", "plugfest-3"]

  it("gives settings that there are", () => {
    for (const name of processes)
      for (const variable of Object.keys(compose[name].environment))
        assert.isTrue(variables.has(variable) || drivers.includes(variable), variable)
  })

  it("starts three processes alike in the profile scale, of which one has a port on the machine", () => {
    const [first, ...others] = processes.map((name) => compose[name])
    for (const other of others) {
      assert.deepStrictEqual(other.profiles, ["scale"])
      assert.deepStrictEqual(other.ports, [])
      const { profiles: _, ports: __, ...alike } = other
      const { ports: ___, ...as } = first
      assert.deepStrictEqual(alike, as)
    }
  })

  it("names them to the balancer, with the port at which they listen", () => {
    const { BIND, ...targets } = compose.balancer.environment
    assert.deepStrictEqual(
      Object.values(targets),
      processes.map((name) => `${name}:${port}`)
    )
    for (const variable of ["BIND", ...Object.keys(targets)]) assert.include(haproxy, `"\${${variable}}"`)
    assert.strictEqual(compose.balancer.ports[0].split(":").at(-1), BIND.split(":").at(-1))
    assert.match(compose.balancer.volumes[0], /^\.\/docs\/proxy\/haproxy\.cfg:/)
  })

  it("gives them time to be noticed and to stop", () => {
    const drain = Number(/-(\d+)\}$/.exec(compose.plugfest.environment.DRAIN_SECONDS)?.[1])
    const [, inter, fall] = /inter (\d+)s fall (\d+)/.exec(haproxy) ?? []
    assert.isAbove(drain, Number(inter) * Number(fall))
    assert.isAtLeast(Number.parseInt(compose.plugfest.stop_grace_period, 10), stopSeconds + drain)
  })
})

describe("docs/proxy/haproxy.cfg", () => {
  it("asks a route that there is", () => {
    assert.include(routes, `"${/httpchk GET (\S+)/.exec(haproxy)?.[1]}"`)
  })

  it("waits longer than a long poll and a stream's silence", () => {
    const [, seconds] = /timeout server (\d+)s/.exec(haproxy) ?? []
    assert.isAbove(Number(seconds), 300)
  })
})

describe("deploy/kubernetes", () => {
  it("lists its files, and no others", () => {
    const { resources } = yaml(`${kubernetes}/kustomization.yaml`)
    const files = readdirSync(join(root, kubernetes)).filter((name) => name !== "kustomization.yaml")
    assert.deepStrictEqual([...resources].sort(), files.sort())
  })

  it("gives settings that there are, each from a key of its name", () => {
    const given = container.env.map(({ name }: { name: string }) => name)
    const [{ literals }] = yaml(`${kubernetes}/kustomization.yaml`).configMapGenerator
    const named = literals.map((literal: string) => literal.split("=", 1)[0])
    assert.isAbove(given.length, 3)
    for (const variable of [...given, ...named]) assert.isTrue(variables.has(variable), variable)
    for (const { name, valueFrom } of container.env) assert.strictEqual(valueFrom.secretKeyRef.key, name)
    // Several processes need the same keys, and the address of none of them.
    assert.includeMembers(given, ["DATABASE_URL", "ENCRYPTION_KEYS", "SIGNING_KEYS"])
    assert.deepStrictEqual(named, ["PUBLIC_URL"])
  })

  it("reaches the port at which the image listens, and routes that there are", () => {
    const { spec } = yaml(`${kubernetes}/service.yaml`)
    assert.strictEqual(container.ports[0].containerPort, port)
    assert.strictEqual(spec.ports[0].targetPort, container.ports[0].name)
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
      const { path, port: name } = container[probe].httpGet
      assert.include(routes, `"${path}"`, probe)
      assert.strictEqual(name, container.ports[0].name, probe)
    }
    assert.match(container.livenessProbe.httpGet.path, /live/)
    assert.match(container.readinessProbe.httpGet.path, /ready/)
  })

  it("selects the same processes everywhere, and lets only one be away", () => {
    const labels = deployment.spec.template.metadata.labels
    const budget = yaml(`${kubernetes}/poddisruptionbudget.yaml`).spec
    assert.deepStrictEqual(deployment.spec.selector.matchLabels, labels)
    assert.deepStrictEqual(yaml(`${kubernetes}/service.yaml`).spec.selector, labels)
    assert.deepStrictEqual(budget.selector.matchLabels, labels)
    assert.deepStrictEqual(pod.topologySpreadConstraints[0].labelSelector.matchLabels, labels)
    assert.isBelow(budget.maxUnavailable, deployment.spec.replicas)
  })

  it("serves until the probes have failed, and then has time to stop", () => {
    const [command, seconds] = container.lifecycle.preStop.exec.command
    const { failureThreshold, periodSeconds } = container.readinessProbe
    assert.strictEqual(command, "sleep")
    assert.isAbove(Number(seconds), failureThreshold * periodSeconds)
    assert.isAtLeast(pod.terminationGracePeriodSeconds, Number(seconds) + stopSeconds)
  })

  it("restricts the process as the compose file does", () => {
    const { allowPrivilegeEscalation, capabilities, readOnlyRootFilesystem } = container.securityContext
    assert.deepStrictEqual(compose.plugfest.security_opt, ["no-new-privileges:true"])
    assert.isFalse(allowPrivilegeEscalation)
    assert.deepStrictEqual(capabilities.drop, compose.plugfest.cap_drop)
    assert.strictEqual(readOnlyRootFilesystem, compose.plugfest.read_only)
    assert.isTrue(pod.securityContext.runAsNonRoot)
    assert.match(dockerfile, /^USER node$/m)
    const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
    assert.sameMembers(mounts, [...compose.plugfest.tmpfs, /DATA_DIR=(\S+)/.exec(dockerfile)![1]])
  })
})

/**
 * The examples under `deploy/`: every configuration they mount passes the config check with the settings they give, every
 * variable names a setting, every port is one that something listens on, every file and service they name is there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { settingNames as allSettings, definitionOf } from '../../src/settings/definitions.ts'
import { run } from '../support/millrace.ts'

type Tree = Record<string, unknown>
const read = (path: string): Tree => parse(readFileSync(path, 'utf8'), { merge: true }) as Tree
const configPath = '/usr/share/logstash/pipeline/logstash.conf'
const settingsPath = '/usr/share/logstash/config/logstash.yml'
const ownPorts = [9200, 9600]

/** Ports that inputs of the text listen on. */
function listening(config: string): number[] {
  return [...config.matchAll(/\bport\s*=>\s*(\d+)/g)].map((match) => Number(match[1]))
}

async function check(config: string, options: { settings?: string; env?: Record<string, string> } = {}) {
  const { code, stdout, stderr } = await run({ config, ...options, args: ['-t'] })
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('Configuration OK')])
}

describe('deploy/compose', () => {
  const file = 'deploy/compose/compose.yaml'
  const compose = read(file)
  const services = compose['services'] as Record<
    string,
    {
      image?: string
      build?: { context: string; dockerfile: string; args: Record<string, string> }
      environment: Record<string, string | number>
      volumes?: string[]
      ports?: string[]
      depends_on?: string[]
    }
  >
  const nodes = Object.entries(services).filter(([, { image }]) => image === 'millrace-kafka')
  const settingNames = new Map(allSettings.map((name) => [name.toUpperCase().replace(/\./g, '_'), name]))
  const mounted = (path: string, volumes: readonly string[] = []): string => {
    const volume = volumes.find((one) => one.includes(`:${path}:`))
    return volume === undefined ? '' : readFileSync(join(dirname(file), volume.split(':')[0]!), 'utf8')
  }
  const configOf = (volumes?: readonly string[]) => mounted(configPath, volumes)
  const settingsOf = (volumes?: readonly string[]) => (parse(mounted(settingsPath, volumes)) ?? {}) as Tree

  it('has three brokers, a door, three nodes that are alike and a store', () => {
    expect(Object.keys(services).sort()).toEqual(
      ['edge', 'kafka-1', 'kafka-2', 'kafka-3', 'node-1', 'node-2', 'node-3', 'store'].sort(),
    )
    expect(services['node-1']).toEqual(services['node-3'])
    const ids = [1, 2, 3].map((n) => services[`kafka-${n}`]!.environment['KAFKA_NODE_ID'])
    expect(ids).toEqual([1, 2, 3])
  })

  it.each(nodes)('gives %s a configuration and settings that pass the check', async (_, node) => {
    const given = Object.entries(node.environment).map(([name, value]) => [name, String(value)] as const)
    const settings = JSON.stringify({ ...settingsOf(node.volumes), 'path.config': undefined })
    await check(configOf(node.volumes), {
      settings,
      env: { ...Object.fromEntries(given), MILLRACE_CONTAINER: 'true' },
    })
  })

  it.each(nodes)('gives %s variables that something reads, and publishes ports that it opens', (_, node) => {
    const config = configOf(node.volumes)
    for (const name of Object.keys(node.environment)) {
      const isRead = name === 'MILLRACE_INSECURE_BIND' || config.includes(`\${${name}}`)
      // A variable holds one text.
      const kind = settingNames.has(name) ? definitionOf[settingNames.get(name)!].kind : 'string'
      expect([name, kind]).not.toEqual([name, 'string_list'])
      // One block serves all nodes; not every configuration speaks to the log.
      expect([name, isRead || settingNames.has(name) || name === 'KAFKA']).toEqual([name, true])
    }
    for (const port of node.ports ?? []) {
      const inner = Number(port.split(':').at(-1))
      expect([port, [...ownPorts, ...listening(config)].includes(inner)]).toEqual([port, true])
      expect(port).toMatch(/^127\.0\.0\.1:/)
    }
  })

  it('shows every node in the fleet', () => {
    const fleet = settingsOf(services['store']!.volumes)['api.ui.fleet'] as string[]
    expect(fleet.map((address) => new URL(address).hostname)).toEqual(['edge', 'node-1', 'node-2', 'node-3'])
  })

  it('names files, services and volumes that are there', () => {
    const names = Object.keys(services)
    const hosts = JSON.stringify(services).match(/(?:kafka-\d|node-\d|store|edge)(?=:\d)/g) ?? []
    for (const host of hosts) expect(names).toContain(host)
    for (const { volumes = [], depends_on = [], build } of Object.values(services)) {
      for (const service of depends_on) expect(names).toContain(service)
      for (const volume of volumes) {
        const [source] = volume.split(':') as [string]
        if (source.startsWith('.')) expect(existsSync(join(dirname(file), source))).toBe(true)
        else expect(Object.keys(compose['volumes'] as Tree)).toContain(source)
      }
      if (build === undefined) continue
      const root = resolve(dirname(file), build.context)
      const dockerfile = readFileSync(join(root, build.dockerfile), 'utf8')
      for (const name of Object.keys(build.args)) expect(dockerfile).toContain(`ARG ${name}=`)
    }
  })
})

describe('deploy/helm', () => {
  const values = read('deploy/helm/millrace/values.yaml')
  const templates = readdirSync('deploy/helm/millrace/templates').map((name) =>
    readFileSync(join('deploy/helm/millrace/templates', name), 'utf8'),
  )
  const releases = ['edge', 'node', 'store'].map(
    (name) => [name, read(`deploy/helm/fleet/${name}.yaml`)] as const,
  )
  const all = [['the chart itself', values] as const, ...releases]

  it.each(releases)('gives %s only values that the chart knows', (_, given) => {
    for (const name of Object.keys(given)) expect(Object.keys(values)).toContain(name)
  })

  it('has templates that ask only for values that are there', () => {
    const asked = templates.flatMap((text) =>
      [...text.matchAll(/\.Values\.(\w+)/g)].map((match) => match[1]!),
    )
    for (const name of asked) expect(Object.keys(values)).toContain(name)
  })

  it.each(all)(
    'gives %s settings and pipelines that pass the check, and ports that they open',
    async (_, given) => {
      const settings = JSON.stringify({ ...(given['settings'] as Tree), 'path.config': undefined })
      const ports = (given['ports'] as { port: number }[]).map(({ port }) => port)
      const texts = Object.values(given['pipelines'] as Record<string, string>)
      for (const text of texts) await check(text, { settings, env: { MILLRACE_INSECURE_BIND: 'true' } })
      for (const port of ports) expect([...ownPorts, ...texts.flatMap(listening)]).toContain(port)
      for (const port of texts.flatMap(listening)) expect(ports).toContain(port)
    },
  )

  it('shows nodes in its fleet that the releases make', () => {
    const store = releases[2]![1]['settings'] as Tree
    const made = releases.flatMap(([name, { replicas }]) =>
      Array.from(
        { length: Number(replicas) },
        (_, n) => `http://${name}-millrace-${n}.${name}-millrace-nodes:9600`,
      ),
    )
    for (const address of store['api.ui.fleet'] as string[]) expect(made).toContain(address)
  })

  it('has a log with the topic and the address that the pipelines name', () => {
    const log = parseAllDocuments(readFileSync('deploy/helm/fleet/kafka.yaml', 'utf8')).map(
      (document) => document.toJS() as { kind: string; metadata: { name: string } },
    )
    const nameOf = (wanted: string) => log.find(({ kind }) => kind === wanted)!.metadata.name
    const texts = JSON.stringify(releases)
    expect(texts).toContain(`${nameOf('Kafka')}-kafka-bootstrap:9092`)
    expect(texts).toContain(`topics => [\\"${nameOf('KafkaTopic')}\\"]`)
  })
})

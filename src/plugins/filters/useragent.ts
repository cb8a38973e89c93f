/**
 * useragent: browser, operating system and device out of a user agent text, by the expressions of
 * uap-core. Logs repeat their user agents, so results are kept; a result is a list of values to set.
 */
import type { Event } from '../../event/event.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { builtInDefinitions, readDefinitions } from '../../user-agent/definitions.ts'
import { type UserAgent, UserAgentParser } from '../../user-agent/parser.ts'
import { agentVersion, systemVersion } from '../../user-agent/version-text.ts'
import { nestedReference } from '../values/dynamic-field.ts'
import { LruCache } from '../values/lru-cache.ts'
import { MapTemplate } from '../values/map-template.ts'

/** What is known about a user agent, in the words of the fields without ECS compatibility. */
const legacyNames = [
  'name',
  'version',
  'major',
  'minor',
  'patch',
  'os',
  'os_name',
  'os_version',
  'os_full',
  'os_major',
  'os_minor',
  'os_patch',
  'device',
] as const
type Name = (typeof legacyNames)[number]

/** Fields with ECS compatibility: below the target, or in the metadata. */
const ecsNames: Partial<Record<Name, string>> = {
  name: '[name]',
  version: '[version]',
  os_name: '[os][name]',
  os_version: '[os][version]',
  os_full: '[os][full]',
  device: '[device][name]',
}
const metadataNames: Partial<Record<Name, string>> = {
  major: '[version][major]',
  minor: '[version][minor]',
  patch: '[version][patch]',
  os_major: '[os][version][major]',
  os_minor: '[os][version][minor]',
  os_patch: '[os][version][patch]',
}
const metadataRoot = '[@metadata][filter][user_agent]'

export default defineFilter({
  name: 'useragent',
  oneToOne: true,
  summary: 'Finds browser, operating system and device in a user agent text.',
  description: [
    'What is not recognised is called `Other`. With ECS compatibility the fields are `name`, `version`,',
    '`[os][name]`, `[os][version]`, `[os][full]` and `[device][name]` below the target, and single numbers of',
    `versions go to \`${metadataRoot}\`. Without it they are ${legacyNames.map((name) => `\`${name}\``).join(', ')},`,
    'each with the prefix.',
  ].join('\n'),
  options: {
    source: option.string({ required: true, doc: 'The field with the user agent.' }),
    target: option.fieldReference({
      doc: 'Field for what was found; `user_agent` with ECS compatibility, otherwise the event itself.',
    }),
    prefix: option.string({
      default: '',
      doc: 'Text to put before the names of fields; not with ECS compatibility.',
    }),
    regexes: option.string({ doc: 'A `regexes.yaml` to use instead of the one that is built in.' }),
    lru_cache_size: option.number({
      default: 100_000,
      doc: 'How many user agents to remember.',
    }),
  },
  examples: [
    {
      title: 'A browser',
      config:
        'useragent { source => "agent" target => "ua" ecs_compatibility => disabled remove_field => ["agent"] }',
      in: {
        agent:
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.102 Safari/537.36',
      },
      out: {
        ua: {
          name: 'Chrome',
          version: '70.0.3538.102',
          major: '70',
          minor: '0',
          patch: '3538',
          os: 'Windows',
          os_name: 'Windows',
          os_version: '10',
          os_full: 'Windows 10',
          os_major: '10',
          device: 'Other',
        },
      },
    },
    {
      title: 'Something unknown',
      config: 'useragent { source => "agent" ecs_compatibility => v8 }',
      in: { agent: 'me' },
      out: {
        agent: 'me',
        user_agent: { name: 'Other', os: { name: 'Other' }, device: { name: 'Other' } },
      },
    },
  ],
  create({ options, compile, ecs, logger }) {
    const { source, regexes } = options
    const isEcs = ecs !== 'disabled'
    const target = options.target ?? (isEcs ? 'user_agent' : undefined)
    const get = compile.get(source)
    const remove = target === source ? compile.remove(source) : undefined
    const getTarget = target === undefined ? undefined : compile.get(target)
    const setTarget = target === undefined ? undefined : compile.set(target)
    const fields = legacyNames.map((name) => fieldOf(name, isEcs, options.prefix))
    const setters = fields.map((field) => field && compile.set(referenceOf(field, target)))
    const cache = new LruCache<Remembered>(options.lru_cache_size)
    let parser: UserAgentParser | undefined

    function remembered({ values }: Pick<Remembered, 'values'>): Remembered {
      const below = fields.map((field, i) => [field?.below, values[i]] as const)
      const template = new MapTemplate(
        below.flatMap(([reference, value]) => (reference === undefined ? [] : [[reference, value]])),
      )
      return { values, template }
    }

    function setAll(event: Event, { values, template }: Remembered): void {
      const isNew = getTarget !== undefined && getTarget(event) === undefined
      if (isNew) setTarget!(event, template.copy())
      for (let i = 0; i < values.length; i++) {
        const value = values[i]
        if (value !== undefined && !(isNew && fields[i]?.below !== undefined)) setters[i]?.(event, value)
      }
    }

    return {
      async register() {
        if (isEcs && options.prefix !== '')
          logger.warn("Field prefix isn't supported in ECS compatibility mode, please remove `prefix`")
        parser = await parserOf(regexes ?? builtInDefinitions())
      },
      filter(event) {
        const given = get(event)
        const text = Array.isArray(given) ? given[0] : given
        if (text === undefined || text === null || text === '') return false
        if (typeof text !== 'string') {
          logger.error('Unknown error while parsing user agent data', { field: source })
          return false
        }
        let known = cache.get(text)
        if (known === undefined) {
          try {
            known = remembered({ values: valuesOf(parser!.parse(text), text) })
          } catch (exception) {
            logger.error('Unknown error while parsing user agent data', { exception, field: source })
            return false
          }
          cache.set(text, known)
        }
        remove?.(event)
        setAll(event, known)
        return true
      },
    }
  },
})

/** What is set for a user agent, as values and as the map of all that stand below the target. */
interface Remembered {
  /** In the order of `legacyNames`. */
  readonly values: readonly (string | undefined)[]
  readonly template: MapTemplate
}

/** Where something known goes: below the target, or to a place of its own. */
type Field =
  | { readonly below: string; readonly own?: never }
  | { readonly own: string; readonly below?: never }

function fieldOf(name: Name, isEcs: boolean, prefix: string): Field | undefined {
  if (!isEcs) return { below: prefix + name }
  const below = ecsNames[name]
  if (below !== undefined) return { below }
  const hidden = metadataNames[name]
  return hidden === undefined ? undefined : { own: metadataRoot + hidden }
}

function referenceOf({ below, own }: Field, target: string | undefined): string {
  if (own !== undefined) return own
  return target === undefined ? below : nestedReference(target, below)
}

/** In the order of `legacyNames`. */
function valuesOf({ agent, system, device }: UserAgent, text: string): (string | undefined)[] {
  const version = systemVersion(system)
  return [
    agent.family,
    agentVersion(agent, text),
    agent.major,
    agent.minor,
    agent.patch,
    system.family,
    system.family,
    version,
    version === undefined ? undefined : `${system.family} ${version}`,
    system.major,
    system.minor,
    system.patch,
    device,
  ]
}

const parsers = new Map<string, Promise<UserAgentParser>>()

/** One parser per file and thread. */
function parserOf(path: string): Promise<UserAgentParser> {
  let parser = parsers.get(path)
  if (parser === undefined) {
    parser = readDefinitions(path).then((definitions) => new UserAgentParser(definitions))
    parsers.set(path, parser)
    parser.catch(() => parsers.delete(path))
  }
  return parser
}

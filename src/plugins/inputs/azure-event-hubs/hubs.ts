/**
 * The Event Hubs that the options name, each with its own settings: in basic mode one for each connection string, in
 * advanced mode hashes that may overrule what holds for all. Refusals are worded as Logstash does.
 */
import { isFields, type Value } from '../../../event/value.ts'
import { Password } from '../../../plugin/define.ts'
import { textOf } from '../../../plugin/raw-text.ts'

export interface Hub {
  readonly name: string
  readonly connection: string
  readonly consumerGroup: string
  readonly storageConnection: string | undefined
  readonly storageContainer: string
  readonly maxBatchSize: number
  readonly prefetchCount: number
  readonly initialPosition: 'beginning' | 'end' | 'look_back'
  readonly lookBackSeconds: number
  readonly checkpointSeconds: number
  readonly decorate: boolean
}

export interface HubOptions {
  readonly config_mode: 'basic' | 'advanced'
  readonly event_hubs: Value[]
  readonly event_hub_connections: Value[]
  readonly consumer_group: string
  readonly storage_connection: Password | undefined
  readonly storage_container: string | undefined
  readonly max_batch_size: number
  readonly prefetch_count: number
  readonly initial_position: 'beginning' | 'end' | 'look_back'
  readonly initial_position_look_back: number
  readonly checkpoint_interval: number
  readonly decorate_events: boolean
  readonly threads: number
}

export function hubsOf(options: HubOptions): Hub[] {
  const hubs = options.config_mode === 'advanced' ? advanced(options) : basic(options)
  if (hubs.length === 0)
    throw new Error(
      options.config_mode === 'advanced'
        ? 'event_hubs is required with config_mode => advanced'
        : 'event_hub_connections is required with config_mode => basic',
    )
  if (options.threads < hubs.length + 1)
    throw new Error(
      `The number of threads must be greater than or equal to the number of Event Hubs plus one (${hubs.length + 1})`,
    )
  const places = new Set<string>()
  for (const { storageConnection, storageContainer, consumerGroup } of hubs) {
    if (storageConnection === undefined) continue
    const place = JSON.stringify([storageConnection, storageContainer, consumerGroup])
    if (places.has(place))
      throw new Error('Event Hubs must not share storage_connection, storage_container and consumer_group')
    places.add(place)
  }
  return hubs
}

function basic(options: HubOptions): Hub[] {
  return options.event_hub_connections.map((given) => {
    const connection = secret(given)
    const name = entityPath(connection)
    if (name === undefined)
      throw new Error(
        'Error parsing event hub string name for connection: please ensure that the connection string contains the EntityPath',
      )
    return hubOf(name, connection, options, {})
  })
}

function advanced(options: HubOptions): Hub[] {
  return options.event_hubs.flatMap((given) => {
    if (!isFields(given)) throw new Error('event_hubs must be a Hash')
    return Object.entries(given).map(([name, own]) => {
      if (!isFields(own)) throw new Error(`The options of the Event Hub ${name} must be a Hash`)
      const connection = own['event_hub_connection']
      if (connection === undefined || connection === null)
        throw new Error(`event_hub_connection is required for the Event Hub ${name}`)
      const text = secret(connection)
      const path = entityPath(text)
      if (path !== undefined && path !== name)
        throw new Error(`invalid configuration: EntityPath ${path} does not match the Event Hub name ${name}`)
      return hubOf(name, text, options, own)
    })
  })
}

function hubOf(
  name: string,
  connection: string,
  options: HubOptions,
  own: Readonly<Record<string, Value | undefined>>,
): Hub {
  const text = (key: string, shared: string | undefined) =>
    own[key] === undefined ? shared : textOf(own[key])
  const number = (key: string, shared: number) => {
    const value = own[key] === undefined ? shared : Number(textOf(own[key]))
    if (!Number.isFinite(value)) throw new Error(`${key} of the Event Hub ${name} must be a number`)
    return value
  }
  const position = text('initial_position', options.initial_position)
  if (position !== 'beginning' && position !== 'end' && position !== 'look_back')
    throw new Error(`initial_position must be one of beginning, end, look_back: ${position}`)
  const storage = own['storage_connection']
  return {
    name,
    connection:
      entityPath(connection) === undefined
        ? `${connection.replace(/;$/, '')};EntityPath=${name}`
        : connection,
    consumerGroup: text('consumer_group', options.consumer_group)!,
    storageConnection: storage === undefined ? options.storage_connection?.value : secret(storage),
    storageContainer: text('storage_container', options.storage_container) ?? name,
    maxBatchSize: Math.max(1, Math.trunc(number('max_batch_size', options.max_batch_size))),
    prefetchCount: Math.max(0, Math.trunc(number('prefetch_count', options.prefetch_count))),
    initialPosition: position,
    lookBackSeconds: number('initial_position_look_back', options.initial_position_look_back),
    checkpointSeconds: number('checkpoint_interval', options.checkpoint_interval),
    decorate:
      own['decorate_events'] === undefined
        ? options.decorate_events
        : /^true$/i.test(textOf(own['decorate_events'])),
  }
}

/** Its keys are hidden in the log from now on. */
function secret(value: Value): string {
  const text = textOf(value)
  for (const [, key] of text.matchAll(/(?:SharedAccessKey|AccountKey)=([^;]{8,})/g)) new Password(key!)
  return text
}

function entityPath(connection: string): string | undefined {
  return /(?:^|;)\s*EntityPath=([^;]+)/i.exec(connection)?.[1]?.trim()
}

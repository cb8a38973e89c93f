/** Receives metrics of ganglia's gmond over UDP. A value is an event once the metadata of its metric is known. */
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, float } from '../../event/value.ts'
import { defineInput, type Sink } from '../../plugin/define.ts'
import { LimitedLog } from '../../plugin/limited-log.ts'
import { receiveDatagrams } from '../receiving/datagrams.ts'
import { listenOptionsAt } from '../receiving/listen-options.ts'
import { Stop } from '../receiving/stop.ts'
import { type MetricMetadata, type MetricValue, readPacket } from './ganglia/packet.ts'

const maxMetrics = 100_000

export default defineInput({
  name: 'ganglia',
  summary: 'Receives metrics from the monitors of Ganglia.',
  description: [
    'A value becomes an event with the fields `program`, `log_host`, `dmax`, `tmax`, `slope`, `type` and `units` of Logstash,',
    'and with `name` and `val`, which Logstash forgets. Values of metrics whose metadata has not come yet are left out, as',
    'are packets that cannot be read; both are counted.',
  ].join('\n'),
  originLast: true,
  options: {
    ...listenOptionsAt(8649),
  },
  metrics: {
    dropped: 'Datagrams lost because the pipeline was busy.',
    failures: 'Packets that could not be read.',
    unknown: 'Values of metrics without metadata.',
  },
  create({ options, ecs, logger, metrics, abort }) {
    const stop = new Stop()
    const log = new LimitedLog(logger)
    const known = new Map<string, MetricMetadata>()
    const hostField = ecs === 'disabled' ? 'host' : '[host][ip]'

    const remember = (metadata: MetricMetadata): void => {
      // The one that was heard of longest ago goes.
      known.delete(metadata.name)
      if (known.size >= maxMetrics)
        for (const name of known.keys()) {
          known.delete(name)
          break
        }
      known.set(metadata.name, metadata)
    }

    const take = (sink: Sink, bytes: Buffer, address: string): void | Promise<void> => {
      let packet: ReturnType<typeof readPacket>
      try {
        packet = readPacket(bytes)
      } catch (error) {
        metrics.failures.increment()
        log.say('warn', 'A ganglia packet could not be read', () => ({ message: (error as Error).message }))
        return
      }
      if (packet.kind === 'metadata') return remember(packet.metadata)
      if (packet.kind !== 'value') return
      const metadata = known.get(packet.value.name)
      if (metadata === undefined) return metrics.unknown.increment()
      const event = eventOf(packet.value, metadata)
      event.set(hostField, address)
      return sink.events([event])
    }

    return {
      async run(sink) {
        await receiveDatagrams({
          name: 'ganglia udp',
          host: options.host,
          port: options.port,
          logger,
          dropped: metrics.dropped,
          stop,
          abort,
          accept: ({ bytes, address }) => take(sink, bytes, address),
        })
      },
      stop() {
        stop.request()
      },
    }
  },
})

function eventOf({ hostname, name, value }: MetricValue, metadata: MetricMetadata): Event {
  const fields: Fields = {
    program: 'ganglia',
    log_host: hostname,
    dmax: metadata.dmax,
    tmax: metadata.tmax,
    slope: metadata.slope ?? null,
    type: metadata.type,
    units: metadata.units,
    name,
    val: typed(value, metadata.type),
  }
  return Event.from(fields, Timestamp.now())
}

function typed(value: string | number, type: string) {
  if (typeof value === 'number') return type === 'float' || type === 'double' ? float(value) : value
  if (/^u?int(8|16|32|64)$/.test(type)) return Number.parseInt(value, 10) || 0
  return type === 'float' || type === 'double' ? float(Number.parseFloat(value) || 0) : value
}

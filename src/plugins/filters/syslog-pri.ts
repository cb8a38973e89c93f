/**
 * syslog_pri: severity and facility out of the priority number of a syslog message (severity + 8 × facility),
 * as numbers and as names.
 */
import { integer, LsFloat, type Value } from '../../event/value.ts'
import { defineFilter, option } from '../../plugin/define.ts'
import { leadingWhole } from '../ruby-values/number.ts'
import { rubyText } from '../ruby-values/text.ts'
import { syslogFacilities, syslogSeverities } from '../values/syslog-labels.ts'

const failureTag = '_syslogpriparsefailure'
/** user-level, notice: what a message without a priority has. */
const defaultPriority = 13n
const maxFacility = 23

export default defineFilter({
  name: 'syslog_pri',
  oneToOne: true,
  summary: 'Splits the priority of a syslog message into severity and facility.',
  description: [
    'Without ECS compatibility it sets `syslog_severity_code`, `syslog_severity`, `syslog_facility_code` and',
    '`syslog_facility`, with it `code` and `name` below `[log][syslog][severity]` and `[log][syslog][facility]`.',
    'An event without a priority counts as user-level notice.',
  ].join('\n'),
  options: {
    syslog_pri_field_name: option.string({
      doc: 'The field with the priority; `[log][syslog][priority]` with ECS compatibility, otherwise `syslog_pri`.',
    }),
    use_labels: option.boolean({ default: true, doc: 'Whether to set names besides numbers.' }),
    facility_labels: option.array({ default: syslogFacilities, doc: 'Names of the facilities, from 0.' }),
    severity_labels: option.array({ default: syslogSeverities, doc: 'Names of the severities, from 0.' }),
  },
  examples: [
    {
      title: 'A priority',
      config: 'syslog_pri { ecs_compatibility => disabled }',
      in: { syslog_pri: '165' },
      out: {
        syslog_pri: '165',
        syslog_severity_code: 5,
        syslog_severity: 'notice',
        syslog_facility_code: 20,
        syslog_facility: 'local4',
      },
    },
    {
      title: 'With the names of the schema',
      config: 'syslog_pri { ecs_compatibility => v8 }',
      in: { log: { syslog: { priority: 11 } } },
      out: {
        log: {
          syslog: {
            priority: 11,
            severity: { code: 3, name: 'error' },
            facility: { code: 1, name: 'user-level' },
          },
        },
      },
    },
  ],
  create({ options, compile, ecs }) {
    const isEcs = ecs !== 'disabled'
    const source = options.syslog_pri_field_name ?? (isEcs ? '[log][syslog][priority]' : 'syslog_pri')
    const get = compile.get(source)
    const setSeverityCode = compile.set(isEcs ? '[log][syslog][severity][code]' : 'syslog_severity_code')
    const setSeverity = compile.set(isEcs ? '[log][syslog][severity][name]' : 'syslog_severity')
    const setFacilityCode = compile.set(isEcs ? '[log][syslog][facility][code]' : 'syslog_facility_code')
    const setFacility = compile.set(isEcs ? '[log][syslog][facility][name]' : 'syslog_facility')
    const { use_labels, facility_labels, severity_labels } = options

    return {
      filter(event) {
        const priority = priorityOf(get(event))
        const severity = Number(BigInt.asUintN(3, priority))
        const facility = integer(priority >> 3n)
        setSeverityCode(event, severity)
        setFacilityCode(event, facility)
        if (!use_labels) return true
        if (facility > maxFacility) {
          event.tag(failureTag)
          return true
        }
        const severityLabel = severity_labels[severity]
        // As in Ruby, a negative number counts from the end.
        const facilityLabel = facility_labels.at(Number(facility))
        if (severityLabel !== undefined) setSeverity(event, severityLabel)
        if (facilityLabel !== undefined) setFacility(event, facilityLabel)
        return true
      },
    }
  },
})

/** Ruby's `to_i`; of a list the first item. */
function priorityOf(value: Value | undefined): bigint {
  const one = Array.isArray(value) ? (value[0] ?? null) : value
  if (one === undefined || one === false || (one === null && !Array.isArray(value))) return defaultPriority
  if (one === null) return 0n
  const number = one instanceof LsFloat ? one.value : one
  if (typeof number === 'number' && Number.isFinite(number)) return BigInt(Math.trunc(number))
  return BigInt(leadingWhole(rubyText(one)))
}

/**
 * What happens to the event of a syslog line after the codec: grok takes the line apart, the priority becomes
 * facility and severity, the time of the line the time of the event.
 *
 * A line that grok does not match is tagged and goes on like all others, with no priority, which reads as 0:
 * facility kernel, severity Emergency. RFC 3164 means 13, but Logstash has done this for ten years.
 */

import { compileDateFormat, type DateFormat } from '../../../dates/date-format.ts'
import { LocalClock } from '../../../dates/local-clock.ts'
import { hostLocale } from '../../../dates/locale-names.ts'
import { zoneClocks } from '../../../dates/zone-clocks.ts'
import { compileGet, compileSet } from '../../../event/accessors.ts'
import type { Event } from '../../../event/event.ts'
import { compileTemplate } from '../../../event/sprintf.ts'
import { Timestamp } from '../../../event/timestamp.ts'
import type { Value } from '../../../event/value.ts'
import { compileGrok } from '../../../grok/compile.ts'
import type { EcsCompatibility, PluginLogger } from '../../../plugin/define.ts'
import { PatternTimeout } from '../../../regex/pattern.ts'
import { maxDateMillis } from '../../../time/calendar.ts'
import { systemZone } from '../../../time/zone.ts'
import { definitionsFor } from '../../grok/definitions.ts'
import { compileStore } from '../../grok/store.ts'
import { leadingWhole } from '../../ruby-values/number.ts'
import { rubyText } from '../../ruby-values/text.ts'
import type { SyslogOptions } from './options.ts'

type LineStep = (event: Event) => void

const failureTag = '_grokparsefailure_sysloginput'
const timeoutMillis = 30_000
const dateFormats = ['MMM dd HH:mm:ss', 'MMM  d HH:mm:ss', 'MMM d HH:mm:ss', 'ISO8601']

const legacyNames = {
  priority: 'priority',
  facility: 'facility',
  severity: 'severity',
  facilityLabel: 'facility_label',
  severityLabel: 'severity_label',
}

const ecsNames: typeof legacyNames = {
  priority: '[log][syslog][priority]',
  facility: '[log][syslog][facility][code]',
  severity: '[log][syslog][severity][code]',
  facilityLabel: '[log][syslog][facility][name]',
  severityLabel: '[log][syslog][severity][name]',
}

export function compileLineStep(
  options: SyslogOptions,
  ecs: EcsCompatibility,
  logger: PluginLogger,
): LineStep {
  const grok = compileGrokStep(options, ecs, logger)
  const priority = compilePriorityStep(options, ecs)
  const date = compileDateStep(options, ecs)
  const service = options.service_type ?? (ecs === 'disabled' ? undefined : 'system')
  const getService = compileGet('[service][type]')
  const setService = compileSet('[service][type]')
  return (event) => {
    if (service !== undefined && getService(event) === undefined) setService(event, service)
    grok(event)
    priority(event)
    date(event)
  }
}

function compileGrokStep(
  { grok_pattern, syslog_field }: SyslogOptions,
  ecs: EcsCompatibility,
  logger: PluginLogger,
): LineStep {
  const names = ecs === 'disabled' ? 'priority' : '[log][syslog][priority]:int'
  const expression = grok_pattern ?? `<%{POSINT:${names}}>%{SYSLOGLINE}`
  const definitions = definitionsFor(
    { patterns_dir: [], patterns_files_glob: '*', pattern_definitions: new Map() },
    ecs,
  )
  const { pattern, captures } = compileGrok(expression, definitions, {
    namedCapturesOnly: true,
    timeout: timeoutMillis,
  })
  const store = compileStore(captures, { target: undefined, overwrite: [syslog_field], keepEmpty: false })
  const get = compileGet(syslog_field)
  const matchText = (event: Event, text: string): boolean => {
    const match = pattern.search(text, timeoutMillis)
    if (match === null) return false
    store(event, match)
    return true
  }
  return (event) => {
    const value = get(event)
    try {
      const texts = Array.isArray(value) ? value.map(rubyText) : [value === undefined ? '' : rubyText(value)]
      let matched = false
      for (const text of texts) matched = matchText(event, text) || matched
      if (!matched) event.tag(failureTag)
    } catch (error) {
      if (!(error instanceof PatternTimeout)) throw error
      logger.warn(`Timeout executing grok '${expression}' against field '${syslog_field}'!`)
      event.tag('_groktimeout')
    }
  }
}

function compilePriorityStep(options: SyslogOptions, ecs: EcsCompatibility): LineStep {
  const names = ecs === 'disabled' ? legacyNames : ecsNames
  const get = compileGet(names.priority)
  const setPriority = compileSet(names.priority)
  const setFacility = compileSet(names.facility)
  const setSeverity = compileSet(names.severity)
  const setFacilityLabel = compileSet(names.facilityLabel)
  const setSeverityLabel = compileSet(names.severityLabel)
  const { use_labels, facility_labels, severity_labels } = options
  return (event) => {
    const priority = priorityOf(get(event))
    const facility = Math.floor(priority / 8)
    const severity = priority % 8
    setPriority(event, priority)
    setSeverity(event, severity)
    setFacility(event, facility)
    if (!use_labels) return
    const facilityLabel = facility_labels[facility]
    const severityLabel = severity_labels[severity]
    if (facilityLabel !== undefined) setFacilityLabel(event, facilityLabel)
    if (severityLabel !== undefined) setSeverityLabel(event, severityLabel)
  }
}

/** Ruby's `to_i`; what has none is 13. */
function priorityOf(value: Value | undefined): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'number') return Math.trunc(value)
  const number = typeof value === 'string' ? leadingWhole(value) : 13
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 13
}

/** With the names of ECS the text goes when it has become the time of the event. */
function compileDateStep({ timezone, locale }: SyslogOptions, ecs: EcsCompatibility): LineStep {
  const own = locale?.replaceAll('_', '-') ?? hostLocale()
  const alsoEnglish = locale === undefined && !/^en\b/i.test(own)
  const formats: DateFormat[] = dateFormats.flatMap((format) => {
    const first = compileDateFormat(format, { locale: own })
    return alsoEnglish && format.includes('MMM')
      ? [first, compileDateFormat(format, { locale: 'en-US' })]
      : [first]
  })
  const clockOf = compileClock(timezone)
  const get = compileGet('timestamp')
  return (event) => {
    const value = get(event)
    if (value === undefined || value === null) return
    const clock = clockOf(event)
    for (const format of formats) {
      const instant = format(value, clock)
      if (!(Math.abs(instant) <= maxDateMillis)) continue
      event.timestamp = new Timestamp(instant)
      if (ecs !== 'disabled') event.remove('timestamp')
      return
    }
    event.tag('_dateparsefailure')
  }
}

function compileClock(timezone: string | undefined): (event: Event) => LocalClock | undefined {
  if (timezone === undefined) {
    const clock = new LocalClock(systemZone)
    return () => clock
  }
  const nameOf = compileTemplate(timezone)
  const clockIn = zoneClocks()
  if (!timezone.includes('%{') && clockIn(timezone) === undefined) {
    throw new Error(`The datetime zone id '${timezone}' is not recognised`)
  }
  return (event) => clockIn(nameOf(event))
}

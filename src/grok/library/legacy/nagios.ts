/**
 * Entries of Nagios's log: a kind, then fields separated by semicolons, the last one free text. A field
 * that is followed by another free one ends at the first semicolon; one before a number may reach further.
 */
import { nagios as shared } from '../shared/nagios.ts'

const upToSemicolon = (field: string): string => `(?<${field}>[^;]*)`
const host = upToSemicolon('nagios_hostname')
const service = upToSemicolon('nagios_service')
const state = upToSemicolon('nagios_state')
const stateType = upToSemicolon('nagios_statetype')
const stateCode = upToSemicolon('nagios_statecode')
const contact = upToSemicolon('nagios_notifyname')
const notificationCommand = upToSemicolon('nagios_contact')
const stateLevel = upToSemicolon('nagios_statelevel')
const author = upToSemicolon('author')

const entry = (kind: string, ...fields: string[]): string =>
  `%{NAGIOS_TYPE_${kind}:nagios_type}: ${fields.join(';')}`
const command = (name: string, ...fields: string[]): string =>
  entry('EXTERNAL_COMMAND', `%{NAGIOS_EC_${name}:nagios_command}`, ...fields)

export const nagios: Record<string, string> = {
  ...shared,
  NAGIOSTIME: String.raw`\[%{NUMBER:nagios_epoch}\]`,

  NAGIOS_WARNING: 'Warning:%{SPACE}%{GREEDYDATA:nagios_message}',
  NAGIOS_CURRENT_SERVICE_STATE: entry(
    'CURRENT_SERVICE_STATE',
    host,
    service,
    state,
    stateType,
    stateCode,
    '%{GREEDYDATA:nagios_message}',
  ),
  NAGIOS_CURRENT_HOST_STATE: entry(
    'CURRENT_HOST_STATE',
    host,
    state,
    stateType,
    stateCode,
    '%{GREEDYDATA:nagios_message}',
  ),
  NAGIOS_SERVICE_NOTIFICATION: entry(
    'SERVICE_NOTIFICATION',
    contact,
    host,
    service,
    state,
    notificationCommand,
    '%{GREEDYDATA:nagios_message}',
  ),
  NAGIOS_HOST_NOTIFICATION: entry(
    'HOST_NOTIFICATION',
    contact,
    host,
    state,
    notificationCommand,
    '%{GREEDYDATA:nagios_message}',
  ),
  NAGIOS_SERVICE_ALERT: entry(
    'SERVICE_ALERT',
    host,
    service,
    state,
    '%{DATA:nagios_statelevel}',
    '%{NUMBER:nagios_attempt}',
    '%{GREEDYDATA:nagios_message}',
  ),
  NAGIOS_HOST_ALERT: entry(
    'HOST_ALERT',
    host,
    state,
    '%{DATA:nagios_statelevel}',
    '%{NUMBER:nagios_attempt}',
    '%{GREEDYDATA:nagios_message}',
  ),
  NAGIOS_SERVICE_FLAPPING_ALERT: entry(
    'SERVICE_FLAPPING_ALERT',
    host,
    service,
    state,
    '%{GREEDYDATA:nagios_message}',
  ),
  NAGIOS_HOST_FLAPPING_ALERT: entry('HOST_FLAPPING_ALERT', host, state, '%{GREEDYDATA:nagios_message}'),
  NAGIOS_SERVICE_DOWNTIME_ALERT: entry(
    'SERVICE_DOWNTIME_ALERT',
    host,
    service,
    state,
    '%{GREEDYDATA:nagios_comment}',
  ),
  NAGIOS_HOST_DOWNTIME_ALERT: entry('HOST_DOWNTIME_ALERT', host, state, '%{GREEDYDATA:nagios_comment}'),
  NAGIOS_PASSIVE_SERVICE_CHECK: entry(
    'PASSIVE_SERVICE_CHECK',
    host,
    service,
    state,
    '%{GREEDYDATA:nagios_comment}',
  ),
  NAGIOS_PASSIVE_HOST_CHECK: entry('PASSIVE_HOST_CHECK', host, state, '%{GREEDYDATA:nagios_comment}'),
  NAGIOS_SERVICE_EVENT_HANDLER: entry(
    'SERVICE_EVENT_HANDLER',
    host,
    service,
    state,
    stateLevel,
    '%{DATA:nagios_event_handler_name}',
  ),
  NAGIOS_HOST_EVENT_HANDLER: entry(
    'HOST_EVENT_HANDLER',
    host,
    state,
    stateLevel,
    '%{DATA:nagios_event_handler_name}',
  ),
  NAGIOS_TIMEPERIOD_TRANSITION: entry(
    'TIMEPERIOD_TRANSITION',
    '%{DATA:nagios_service}',
    '%{NUMBER:nagios_unknown1}',
    '%{NUMBER:nagios_unknown2}',
  ),

  NAGIOS_EC_LINE_DISABLE_SVC_CHECK: command('DISABLE_SVC_CHECK', host, '%{DATA:nagios_service}'),
  NAGIOS_EC_LINE_ENABLE_SVC_CHECK: command('ENABLE_SVC_CHECK', host, '%{DATA:nagios_service}'),
  NAGIOS_EC_LINE_DISABLE_HOST_CHECK: command('DISABLE_HOST_CHECK', '%{DATA:nagios_hostname}'),
  NAGIOS_EC_LINE_ENABLE_HOST_CHECK: command('ENABLE_HOST_CHECK', '%{DATA:nagios_hostname}'),
  NAGIOS_EC_LINE_PROCESS_SERVICE_CHECK_RESULT: command(
    'PROCESS_SERVICE_CHECK_RESULT',
    host,
    service,
    state,
    '%{DATA:nagios_check_result}',
  ),
  NAGIOS_EC_LINE_PROCESS_HOST_CHECK_RESULT: command(
    'PROCESS_HOST_CHECK_RESULT',
    host,
    state,
    '%{DATA:nagios_check_result}',
  ),
  NAGIOS_EC_LINE_DISABLE_HOST_SVC_NOTIFICATIONS: command(
    'DISABLE_HOST_SVC_NOTIFICATIONS',
    '%{GREEDYDATA:nagios_hostname}',
  ),
  NAGIOS_EC_LINE_ENABLE_HOST_SVC_NOTIFICATIONS: command(
    'ENABLE_HOST_SVC_NOTIFICATIONS',
    '%{GREEDYDATA:nagios_hostname}',
  ),
  NAGIOS_EC_LINE_DISABLE_HOST_NOTIFICATIONS: command(
    'DISABLE_HOST_NOTIFICATIONS',
    '%{GREEDYDATA:nagios_hostname}',
  ),
  NAGIOS_EC_LINE_ENABLE_HOST_NOTIFICATIONS: command(
    'ENABLE_HOST_NOTIFICATIONS',
    '%{GREEDYDATA:nagios_hostname}',
  ),
  NAGIOS_EC_LINE_DISABLE_SVC_NOTIFICATIONS: command(
    'DISABLE_SVC_NOTIFICATIONS',
    host,
    '%{GREEDYDATA:nagios_service}',
  ),
  NAGIOS_EC_LINE_ENABLE_SVC_NOTIFICATIONS: command(
    'ENABLE_SVC_NOTIFICATIONS',
    host,
    '%{GREEDYDATA:nagios_service}',
  ),
  NAGIOS_EC_LINE_SCHEDULE_HOST_DOWNTIME: command(
    'SCHEDULE_HOST_DOWNTIME',
    '%{DATA:nagios_hostname}',
    '%{NUMBER:nagios_start_time}',
    '%{NUMBER:nagios_end_time}',
    '%{NUMBER:nagios_fixed}',
    '%{NUMBER:nagios_trigger_id}',
    '%{NUMBER:nagios_duration}',
    author,
    '%{DATA:comment}',
  ),
}

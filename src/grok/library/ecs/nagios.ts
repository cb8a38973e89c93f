/**
 * Entries of Nagios's log: a kind, then fields separated by semicolons, the last one free text. A field
 * that is followed by another free one ends at the first semicolon; one before a number may reach further.
 */
import { nagios as shared } from '../shared/nagios.ts'

const upToSemicolon = (field: string): string => `(?<${field}>[^;]*)`
const host = upToSemicolon('[host][hostname]')
const service = upToSemicolon('[service][name]')
const state = upToSemicolon('[service][state]')
const user = upToSemicolon('[user][name]')
const notificationCommand = upToSemicolon('[nagios][log][notification_command]')
const stateType = upToSemicolon('[nagios][log][state_type]')

const attempt = [
  '%{DATA:[nagios][log][state_type]}',
  '%{INT:[nagios][log][attempt]:int}',
  '%{GREEDYDATA:message}',
]
const serviceState = [host, service, state, ...attempt]
const hostState = [host, state, ...attempt]

const entry = (kind: string, ...fields: string[]): string =>
  `%{NAGIOS_TYPE_${kind}:[nagios][log][type]}: ${fields.join(';')}`
const command = (name: string, ...fields: string[]): string =>
  entry('EXTERNAL_COMMAND', `%{NAGIOS_EC_${name}:[nagios][log][command]}`, ...fields)

export const nagios: Record<string, string> = {
  ...shared,
  NAGIOSTIME: String.raw`\[%{NUMBER:timestamp}\]`,

  NAGIOS_WARNING: 'Warning:%{SPACE}%{GREEDYDATA:message}',
  NAGIOS_CURRENT_SERVICE_STATE: entry('CURRENT_SERVICE_STATE', ...serviceState),
  NAGIOS_CURRENT_HOST_STATE: entry('CURRENT_HOST_STATE', ...hostState),
  NAGIOS_SERVICE_NOTIFICATION: entry(
    'SERVICE_NOTIFICATION',
    user,
    host,
    service,
    state,
    notificationCommand,
    '%{GREEDYDATA:message}',
  ),
  NAGIOS_HOST_NOTIFICATION: entry(
    'HOST_NOTIFICATION',
    user,
    host,
    state,
    notificationCommand,
    '%{GREEDYDATA:message}',
  ),
  NAGIOS_SERVICE_ALERT: entry('SERVICE_ALERT', ...serviceState),
  NAGIOS_HOST_ALERT: entry('HOST_ALERT', ...hostState),
  NAGIOS_SERVICE_FLAPPING_ALERT: entry(
    'SERVICE_FLAPPING_ALERT',
    host,
    service,
    state,
    '%{GREEDYDATA:message}',
  ),
  NAGIOS_HOST_FLAPPING_ALERT: entry('HOST_FLAPPING_ALERT', host, state, '%{GREEDYDATA:message}'),
  NAGIOS_SERVICE_DOWNTIME_ALERT: entry(
    'SERVICE_DOWNTIME_ALERT',
    host,
    service,
    state,
    '%{GREEDYDATA:[nagios][log][comment]}',
  ),
  NAGIOS_HOST_DOWNTIME_ALERT: entry(
    'HOST_DOWNTIME_ALERT',
    host,
    state,
    '%{GREEDYDATA:[nagios][log][comment]}',
  ),
  NAGIOS_PASSIVE_SERVICE_CHECK: entry(
    'PASSIVE_SERVICE_CHECK',
    host,
    service,
    state,
    '%{GREEDYDATA:[nagios][log][comment]}',
  ),
  NAGIOS_PASSIVE_HOST_CHECK: entry('PASSIVE_HOST_CHECK', host, state, '%{GREEDYDATA:[nagios][log][comment]}'),
  NAGIOS_SERVICE_EVENT_HANDLER: entry(
    'SERVICE_EVENT_HANDLER',
    host,
    service,
    state,
    stateType,
    '%{DATA:[nagios][log][event_handler_name]}',
  ),
  NAGIOS_HOST_EVENT_HANDLER: entry(
    'HOST_EVENT_HANDLER',
    host,
    state,
    stateType,
    '%{DATA:[nagios][log][event_handler_name]}',
  ),
  NAGIOS_TIMEPERIOD_TRANSITION: entry(
    'TIMEPERIOD_TRANSITION',
    '%{DATA:[service][name]}',
    '%{NUMBER:[nagios][log][period_from]:int}',
    '%{NUMBER:[nagios][log][period_to]:int}',
  ),

  NAGIOS_EC_LINE_DISABLE_SVC_CHECK: command('DISABLE_SVC_CHECK', host, '%{DATA:[service][name]}'),
  NAGIOS_EC_LINE_ENABLE_SVC_CHECK: command('ENABLE_SVC_CHECK', host, '%{DATA:[service][name]}'),
  NAGIOS_EC_LINE_DISABLE_HOST_CHECK: command('DISABLE_HOST_CHECK', '%{DATA:[host][hostname]}'),
  NAGIOS_EC_LINE_ENABLE_HOST_CHECK: command('ENABLE_HOST_CHECK', '%{DATA:[host][hostname]}'),
  NAGIOS_EC_LINE_PROCESS_SERVICE_CHECK_RESULT: command(
    'PROCESS_SERVICE_CHECK_RESULT',
    host,
    service,
    state,
    '%{DATA:[nagios][log][check_result]}',
  ),
  NAGIOS_EC_LINE_PROCESS_HOST_CHECK_RESULT: command(
    'PROCESS_HOST_CHECK_RESULT',
    host,
    state,
    '%{DATA:[nagios][log][check_result]}',
  ),
  NAGIOS_EC_LINE_DISABLE_HOST_SVC_NOTIFICATIONS: command(
    'DISABLE_HOST_SVC_NOTIFICATIONS',
    '%{GREEDYDATA:[host][hostname]}',
  ),
  NAGIOS_EC_LINE_ENABLE_HOST_SVC_NOTIFICATIONS: command(
    'ENABLE_HOST_SVC_NOTIFICATIONS',
    '%{GREEDYDATA:[host][hostname]}',
  ),
  NAGIOS_EC_LINE_DISABLE_HOST_NOTIFICATIONS: command(
    'DISABLE_HOST_NOTIFICATIONS',
    '%{GREEDYDATA:[host][hostname]}',
  ),
  NAGIOS_EC_LINE_ENABLE_HOST_NOTIFICATIONS: command(
    'ENABLE_HOST_NOTIFICATIONS',
    '%{GREEDYDATA:[host][hostname]}',
  ),
  NAGIOS_EC_LINE_DISABLE_SVC_NOTIFICATIONS: command(
    'DISABLE_SVC_NOTIFICATIONS',
    host,
    '%{GREEDYDATA:[service][name]}',
  ),
  NAGIOS_EC_LINE_ENABLE_SVC_NOTIFICATIONS: command(
    'ENABLE_SVC_NOTIFICATIONS',
    host,
    '%{GREEDYDATA:[service][name]}',
  ),
  NAGIOS_EC_LINE_SCHEDULE_HOST_DOWNTIME: command(
    'SCHEDULE_HOST_DOWNTIME',
    '%{DATA:[host][hostname]}',
    '%{NUMBER:[nagios][log][start_time]}',
    '%{NUMBER:[nagios][log][end_time]}',
    '%{NUMBER:[nagios][log][fixed]}',
    '%{NUMBER:[nagios][log][trigger_id]}',
    '%{NUMBER:[nagios][log][duration]:int}',
    user,
    '%{DATA:[nagios][log][comment]}',
  ),
}

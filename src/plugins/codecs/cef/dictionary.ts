/**
 * The keys of the Common Event Format: as they stand in a message, their full names, and the fields they
 * become under the Elastic Common Schema. `{device}` is `observer` or `host`, as the codec's `device` says.
 */
import type { EcsCompatibility } from '../../../plugin/define.ts'

type Kind = 'text' | 'time'

/** key, full name, ECS field, kind */
type Row = readonly [key: string, name: string, ecs: string, kind?: Kind]

const header: readonly Row[] = [
  ['cefVersion', 'cefVersion', '[cef][version]'],
  ['deviceVendor', 'deviceVendor', '[observer][vendor]'],
  ['deviceProduct', 'deviceProduct', '[observer][product]'],
  ['deviceVersion', 'deviceVersion', '[observer][version]'],
  ['deviceEventClassId', 'deviceEventClassId', '[event][code]'],
  ['name', 'name', '[cef][name]'],
  ['severity', 'severity', '[event][severity]'],
  ['syslog', 'syslog', '[log][syslog][header]'],
]

const agent: readonly Row[] = [
  ['agentDnsDomain', 'agentDnsDomain', '[cef][agent][registered_domain]'],
  ['agentNtDomain', 'agentNtDomain', '[cef][agent][registered_domain]'],
  ['agentTranslatedAddress', 'agentTranslatedAddress', '[cef][agent][nat][ip]'],
  [
    'agentTranslatedZoneExternalID',
    'agentTranslatedZoneExternalID',
    '[cef][agent][translated_zone][external_id]',
  ],
  ['agentTranslatedZoneURI', 'agentTranslatedZoneURI', '[cef][agent][translated_zone][uri]'],
  ['agentZoneExternalID', 'agentZoneExternalID', '[cef][agent][zone][external_id]'],
  ['agentZoneURI', 'agentZoneURI', '[cef][agent][zone][uri]'],
  ['agt', 'agentAddress', '[agent][ip]'],
  ['ahost', 'agentHostName', '[agent][name]'],
  ['aid', 'agentId', '[agent][id]'],
  ['amac', 'agentMacAddress', '[agent][mac]'],
  ['art', 'agentReceiptTime', '[event][created]', 'time'],
  ['at', 'agentType', '[agent][type]'],
  ['atz', 'agentTimeZone', '[cef][agent][timezone]'],
  ['av', 'agentVersion', '[agent][version]'],
]

const device: readonly Row[] = [
  ['act', 'deviceAction', '[event][action]'],
  ['cat', 'deviceEventCategory', '[cef][category]'],
  ['deviceDirection', 'deviceDirection', '[network][direction]'],
  ['deviceDnsDomain', 'deviceDnsDomain', '[{device}][registered_domain]'],
  ['deviceExternalId', 'deviceExternalId', '[{device}][id]'],
  ['deviceFacility', 'deviceFacility', '[log][syslog][facility][code]'],
  ['deviceInboundInterface', 'deviceInboundInterface', '[observer][ingress][interface][name]'],
  ['deviceMacAddress', 'deviceMacAddress', '[{device}][mac]'],
  ['deviceNtDomain', 'deviceNtDomain', '[cef][nt_domain]'],
  ['deviceOutboundInterface', 'deviceOutboundInterface', '[observer][egress][interface][name]'],
  ['devicePayloadId', 'devicePayloadId', '[cef][payload_id]'],
  ['deviceProcessName', 'deviceProcessName', '[process][name]'],
  ['deviceTranslatedAddress', 'deviceTranslatedAddress', '[{device}][nat][ip]'],
  ['deviceTranslatedZoneExternalID', 'deviceTranslatedZoneExternalID', '[cef][translated_zone][external_id]'],
  ['deviceTranslatedZoneURI', 'deviceTranslatedZoneURI', '[cef][translated_zone][uri]'],
  ['deviceVersion', 'deviceVersion', '[{device}][version]'],
  ['deviceZoneExternalID', 'deviceZoneExternalID', '[cef][zone][external_id]'],
  ['deviceZoneURI', 'deviceZoneURI', '[cef][zone][uri]'],
  ['dtz', 'deviceTimeZone', '[event][timezone]'],
  ['dvc', 'deviceAddress', '[{device}][ip]'],
  ['dvchost', 'deviceHostName', '[{device}][hostname]'],
  ['dvcmac', 'deviceMacAddress', '[{device}][mac]'],
  ['dvcpid', 'deviceProcessId', '[process][pid]'],
  ['rt', 'deviceReceiptTime', '@timestamp', 'time'],
]

/** Ends of two parties have the same keys with another first letter. */
function party(letter: 'd' | 's', side: 'destination' | 'source'): Row[] {
  return [
    [`${side}DnsDomain`, `${side}DnsDomain`, `[${side}][registered_domain]`],
    [`${side}ServiceName`, `${side}ServiceName`, `[${side}][service][name]`],
    [`${side}TranslatedAddress`, `${side}TranslatedAddress`, `[${side}][nat][ip]`],
    [`${side}TranslatedPort`, `${side}TranslatedPort`, `[${side}][nat][port]`],
    [
      `${side}TranslatedZoneExternalID`,
      `${side}TranslatedZoneExternalID`,
      `[cef][${side}][translated_zone][external_id]`,
    ],
    [`${side}TranslatedZoneURI`, `${side}TranslatedZoneURI`, `[cef][${side}][translated_zone][uri]`],
    [`${side}ZoneExternalID`, `${side}ZoneExternalID`, `[cef][${side}][zone][external_id]`],
    [`${side}ZoneURI`, `${side}ZoneURI`, `[cef][${side}][zone][uri]`],
    [`${letter}host`, `${side}HostName`, `[${side}][domain]`],
    [`${letter}lat`, `${side}GeoLatitude`, `[${side}][geo][location][lat]`],
    [`${letter}long`, `${side}GeoLongitude`, `[${side}][geo][location][lon]`],
    [`${letter}mac`, `${side}MacAddress`, `[${side}][mac]`],
    [`${letter}ntdom`, `${side}NtDomain`, `[cef][${side}][nt_domain]`],
    [`${letter}pid`, `${side}ProcessId`, `[${side}][process][pid]`],
    [`${letter}priv`, `${side}UserPrivileges`, `[${side}][user][group][name]`],
    [`${letter}proc`, `${side}ProcessName`, `[${side}][process][name]`],
    [`${letter}pt`, `${side}Port`, `[${side}][port]`],
    [letter === 'd' ? 'dst' : 'src', `${side}Address`, `[${side}][ip]`],
    [`${letter}uid`, `${side}UserId`, `[${side}][user][id]`],
    [`${letter}user`, `${side}UserName`, `[${side}][user][name]`],
  ]
}

/** Numbered fields with a label each: `cs1`, `cs1Label`. */
function custom(key: string, name: string, ecs: string, count: number, kind: Kind = 'text'): Row[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((n): Row[] => [
    [`${key}${n}`, `${name}${n}`, `[cef][${ecs}_${n}][value]`, kind],
    [`${key}${n}Label`, `${name}${n}Label`, `[cef][${ecs}_${n}][label]`],
  ])
}

function file(prefix: '' | 'old'): Row[] {
  const field = prefix === '' ? '[file]' : '[cef][old_file]'
  const key = (rest: string) => (prefix === '' ? `f${rest.slice(1)}` : `oldF${rest.slice(1)}`)
  return [
    [key('fileCreateTime'), key('fileCreateTime'), `${field}[created]`, 'time'],
    [key('fileHash'), key('fileHash'), `${field}[hash]`],
    [key('fileId'), key('fileId'), `${field}[inode]`],
    [key('fileModificationTime'), key('fileModificationTime'), `${field}[mtime]`, 'time'],
    [key('filePath'), key('filePath'), `${field}[path]`],
    [key('filePermission'), key('filePermission'), `${field}[group]`],
    [key('fileType'), key('fileType'), `${field}[extension]`],
    [prefix === '' ? 'fsize' : 'oldFileSize', key('fileSize'), `${field}[size]`],
    [prefix === '' ? 'fname' : 'oldFileName', prefix === '' ? 'filename' : 'oldFileName', `${field}[name]`],
  ]
}

const other: readonly Row[] = [
  ['app', 'applicationProtocol', '[network][protocol]'],
  ['cnt', 'baseEventCount', '[cef][base_event_count]'],
  ['in', 'bytesIn', '[source][bytes]'],
  ['out', 'bytesOut', '[destination][bytes]'],
  ['catdt', 'categoryDeviceType', '[cef][device_type]'],
  ['customerExternalID', 'customerExternalID', '[organization][id]'],
  ['customerURI', 'customerURI', '[organization][name]'],
  ['end', 'endTime', '[event][end]', 'time'],
  ['eventId', 'eventId', '[event][id]'],
  ['externalId', 'externalId', '[cef][external_id]'],
  ['msg', 'message', 'message'],
  ['mrt', 'managerReceiptTime', '[event][ingested]', 'time'],
  ['outcome', 'eventOutcome', '[event][outcome]'],
  ['proto', 'transportProtocol', '[network][transport]'],
  ['rawEvent', 'rawEvent', '[event][original]'],
  ['reason', 'reason', '[event][reason]'],
  ['request', 'requestUrl', '[url][original]'],
  ['requestClientApplication', 'requestClientApplication', '[user_agent][original]'],
  ['requestContext', 'requestContext', '[http][request][referrer]'],
  ['requestCookies', 'requestCookies', '[cef][request][cookies]'],
  ['requestMethod', 'requestMethod', '[http][request][method]'],
  ['requestUrlFileName', 'requestUrlFileName', '[cef][request][file_name]'],
  ['sessionId', 'sessionId', '[cef][session_id]'],
  ['start', 'startTime', '[event][start]', 'time'],
  ['type', 'type', '[cef][type]'],
]

const extensions: readonly Row[] = [
  ...agent,
  ...device,
  ...party('d', 'destination'),
  ...party('s', 'source'),
  ...custom('c6a', 'deviceCustomIPv6Address', 'device_custom_ipv6_address', 4),
  ...custom('cfp', 'deviceCustomFloatingPoint', 'device_custom_floating_point', 4),
  ...custom('cn', 'deviceCustomNumber', 'device_custom_number', 3),
  ...custom('cs', 'deviceCustomString', 'device_custom_string', 6),
  ...custom('deviceCustomDate', 'deviceCustomDate', 'device_custom_date', 2, 'time'),
  ...custom('flexDate', 'flexDate', 'flex_date', 1, 'time'),
  ...custom('flexNumber', 'flexNumber', 'flex_number', 2),
  ...custom('flexString', 'flexString', 'flex_string', 2),
  ...file(''),
  ...file('old'),
  ...other,
]

export interface CefField {
  /** Field of the event. */
  readonly reference: string
  readonly key: string
  readonly kind: Kind
}

interface CefDictionary {
  /** Fields of the header, in the order of the message; the syslog header last. */
  readonly header: readonly CefField[]
  /** Extensions by key and by full name. */
  readonly extensions: ReadonlyMap<string, CefField>
}

export function cefDictionary(ecs: EcsCompatibility, deviceIs: 'observer' | 'host'): CefDictionary {
  const fieldOf = ([key, name, ecsName, kind = 'text']: Row): CefField => ({
    reference: ecs === 'disabled' ? name : ecsName.replace('{device}', deviceIs),
    key,
    kind: ecs === 'disabled' ? 'text' : kind,
  })
  const known = new Map<string, CefField>()
  for (const row of extensions) {
    const field = fieldOf(row)
    if (!known.has(row[1])) known.set(row[1], field)
  }
  for (const row of extensions) known.set(row[0], fieldOf(row))
  return { header: header.map(fieldOf), extensions: known }
}

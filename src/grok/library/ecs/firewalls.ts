/**
 * Firewall logs: NetScreen, Cisco ASA, PIX and FWSM (a pattern per message number), the kernel's packet log
 * (iptables), Shorewall, SuSEfirewall2.
 */
import { firewalls as shared, trimmed } from '../shared/firewalls.ts'

const unit = String.raw`\((?:Primary|Secondary)\)`
const outcome = '%{CISCO_ACTION:[cisco][asa][outcome]}'
const direction = '%{CISCO_DIRECTION:[cisco][asa][network][direction]}'
const transport = '%{WORD:[cisco][asa][network][transport]}'
const networkType = '%{WORD:[cisco][asa][network][type]}'
const reason = '%{CISCO_REASON:[event][reason]}'
const source = '%{IP:[source][ip]}/%{INT:[source][port]:int}'
const destination = '%{IP:[destination][ip]}/%{INT:[destination][port]:int}'
const sourceUser = String.raw`(?:\(%{DATA:[source][user][name]}\))?`
const destinationUser = String.raw`(?:\(%{DATA:[destination][user][name]}\))?`
const ingress = '%{NOTSPACE:[observer][ingress][interface][name]}'
const egress = '%{NOTSPACE:[observer][egress][interface][name]}'
const onInterface = `on interface ${egress}`
const namedInterface = '%{NOTSPACE:[network][interface][name]}'
const accessList = `access-list %{NOTSPACE:[cisco][asa][rule_name]} ${outcome} ${transport}`
const accessSource = String.raw`%{DATA:[observer][ingress][interface][name]}/%{IP:[source][ip]}\(%{INT:[source][port]:int}\)`
const accessDestination = String.raw`%{DATA:[observer][egress][interface][name]}/%{IP:[destination][ip]}\(%{INT:[destination][port]:int}\)`
const hashCodes = String.raw`\[%{DATA:[@metadata][cisco][asa][hashcode1]}, %{DATA:[@metadata][cisco][asa][hashcode2]}\]`
const icmp = String.raw`\(type %{INT:[cisco][asa][icmp_type]:int}, code %{INT:[cisco][asa][icmp_code]:int}\)`
const payload = '[cisco][asa][original_ip_payload]'
const burst = '[cisco][asa][burst]'

const cisco: Record<string, string> = {
  CISCO_TAGGED_SYSLOG:
    '^<%{POSINT:[log][syslog][priority]:int}>%{CISCOTIMESTAMP:timestamp}(?: %{SYSLOGHOST:[host][hostname]})? ?: %%{CISCOTAG:[cisco][asa][tag]}:',
  CISCO_HITCOUNT_INTERVAL:
    'hit-cnt %{INT:[cisco][asa][hit_count]:int} (?:first hit|%{INT:[cisco][asa][interval]:int}-second interval)',
  CISCO_SRC_IP_USER: `${ingress}:%{IP:[source][ip]}${sourceUser}`,
  CISCO_DST_IP_USER: `${egress}:%{IP:[destination][ip]}${destinationUser}`,
  CISCO_SRC_HOST_PORT_USER: `${ingress}:(?:%{IP:[source][ip]}|%{IPORHOST:[source][address]})(?:/%{INT:[source][port]:int})?${sourceUser}`,
  CISCO_DST_HOST_PORT_USER: `${egress}:(?:%{IP:[destination][ip]}|%{IPORHOST:[destination][address]})(?:/%{INT:[destination][port]:int})?${destinationUser}`,

  CISCOFW104001: `${unit} Switching to ACTIVE - %{GREEDYDATA:[event][reason]}`,
  CISCOFW104002: `${unit} Switching to STANDBY - %{GREEDYDATA:[event][reason]}`,
  CISCOFW105003: `${unit} Monitoring on [Ii]nterface ${namedInterface} waiting`,
  CISCOFW105004: `${unit} Monitoring on [Ii]nterface ${namedInterface} normal`,
  CISCOFW105005: `${unit} Lost Failover communications with mate on [Ii]nterface ${namedInterface}`,
  CISCOFW105008: `${unit} Testing [Ii]nterface ${namedInterface}`,
  CISCOFW105009: `${unit} Testing on [Ii]nterface ${namedInterface} (?:Passed|Failed)`,
  CISCOFW106001: `${direction} ${transport} connection ${outcome} from ${source} to ${destination} flags %{DATA:[cisco][asa][tcp_flags]} ${onInterface}`,
  CISCOFW106006_106007_106010: `${outcome} ${direction} ${transport} (?:from|src) ${source}${sourceUser} (?:to|dst) ${destination}${destinationUser} (?:${onInterface}|due to ${reason})`,
  CISCOFW106014: String.raw`${outcome} ${direction} ${transport} src %{CISCO_SRC_IP_USER} dst %{CISCO_DST_IP_USER}\s?${icmp}`,
  CISCOFW106015: String.raw`${outcome} ${transport} \(%{DATA:[cisco][asa][rule_name]}\) from ${source} to ${destination} flags %{DATA:[cisco][asa][tcp_flags]} ${onInterface}`,
  CISCOFW106021: `${outcome} ${transport} reverse path check from %{IP:[source][ip]} to %{IP:[destination][ip]} ${onInterface}`,
  CISCOFW106023: [
    `${outcome}(?: protocol)? ${transport} src %{CISCO_SRC_HOST_PORT_USER} dst %{CISCO_DST_HOST_PORT_USER}(?: ${icmp})?`,
    ` by access-group "?%{DATA:[cisco][asa][rule_name]}"? ${hashCodes}`,
  ].join(''),
  CISCOFW106100_2_3: `${accessList} for user '%{DATA:[source][user][name]}' ${accessSource} -> ${accessDestination} %{CISCO_HITCOUNT_INTERVAL} ${hashCodes}`,
  // Both users go into the one field.
  CISCOFW106100: `${accessList} ${accessSource}${sourceUser} -> ${accessDestination}${sourceUser} hit-cnt %{INT:[cisco][asa][hit_count]:int} %{CISCO_INTERVAL} ${hashCodes}`,
  CISCOFW110002: `${reason} for ${transport} from ${ingress}:${source} to ${destination}`,
  CISCOFW302010:
    '%{INT:[cisco][asa][connections][in_use]:int} in use, %{INT:[cisco][asa][connections][most_used]:int} most used',
  CISCOFW302013_302014_302015_302016: [
    `${outcome}(?: ${direction})? ${transport} connection %{INT:[cisco][asa][connection_id]}`,
    String.raw` for ${ingress}:${source}(?: \(%{IP:[source][nat][ip]}/%{INT:[source][nat][port]:int}\))?${sourceUser}`,
    String.raw` to ${egress}:${destination}(?: \(%{IP:[destination][nat][ip]}/%{INT:[destination][nat][port]:int}\))?${destinationUser}`,
    String.raw`(?: duration %{TIME:[cisco][asa][duration]} bytes %{INT:[network][bytes]:int})?(?: ${reason})?(?: \(%{DATA:[user][name]}\))?`,
  ].join(''),
  CISCOFW302020_302021: [
    `${outcome}(?: ${direction})? ${transport} connection for faddr %{IP:[destination][ip]}/%{INT:[cisco][asa][icmp_seq]:int}${destinationUser}`,
    String.raw` gaddr %{IP:[source][nat][ip]}/%{INT:[cisco][asa][icmp_type]:int} laddr %{IP:[source][ip]}/%{INT}(?: \(%{DATA:[source][user][name]}\))?`,
    '(?: type %{INT:[cisco][asa][icmp_type]:int} code %{INT:[cisco][asa][icmp_code]:int})?',
  ].join(''),
  CISCOFW304001: `%{IP:[source][ip]}${sourceUser} Accessed URL %{IP:[destination][ip]}:%{GREEDYDATA:[url][original]}`,
  CISCOFW305011: `${outcome} %{CISCO_XLATE_TYPE} ${transport} translation from ${ingress}:%{IP:[source][ip]}(?:/%{INT:[source][port]:int})?${sourceUser} to ${egress}:${destination}`,
  CISCOFW313001_313004_313008: `${outcome} ${transport} type=%{INT:[cisco][asa][icmp_type]:int}, code=%{INT:[cisco][asa][icmp_code]:int} from %{IP:[source][ip]} ${onInterface}(?: to %{IP:[destination][ip]})?`,
  CISCOFW313005: [
    `${reason} for ${transport} error message: %{WORD} src %{CISCO_SRC_IP_USER} dst %{CISCO_DST_IP_USER} ${icmp}`,
    String.raw` on %{NOTSPACE} interface\.\s+Original IP payload: %{WORD:${payload}[network][transport]}`,
    String.raw` src %{IP:${payload}[source][ip]}/%{INT:${payload}[source][port]:int}(?:\(%{DATA:${payload}[source][user][name]}\))?`,
    String.raw` dst %{IP:${payload}[destination][ip]}/%{INT:${payload}[destination][port]:int}(?:\(%{DATA:${payload}[destination][user][name]}\))?`,
  ].join(''),
  CISCOFW321001:
    "Resource '%{DATA:[cisco][asa][resource][name]}' limit of %{POSINT:[cisco][asa][resource][limit]:int} reached for system",
  CISCOFW402117: String.raw`${networkType}: Received a non-IPSec packet \(protocol=\s?${transport}\) from %{IP:[source][ip]} to %{IP:[destination][ip]}\.?`,
  CISCOFW402119: [
    `${networkType}: Received an %{WORD:[cisco][asa][ipsec][protocol]} packet`,
    String.raw` \(SPI=\s?%{DATA:[cisco][asa][ipsec][spi]}, sequence number=\s?%{DATA:[cisco][asa][ipsec][seq_num]}\)`,
    String.raw` from %{IP:[source][ip]} \(user=\s?%{DATA:[source][user][name]}\) to %{IP:[destination][ip]} that failed anti-replay checking\.?`,
  ].join(''),
  CISCOFW419001: `${outcome} ${transport} packet from ${ingress}:${source} to ${egress}:${destination}, reason: %{GREEDYDATA:[event][reason]}`,
  CISCOFW419002: String.raw`${reason} from ${ingress}:${source} to ${egress}:${destination} with different initial sequence number\.?`,
  CISCOFW500004: `${reason} for protocol=${transport}, from ${source} to ${destination}`,
  CISCOFW602303_602304: [
    String.raw`${networkType}: An ${direction} %{DATA:[cisco][asa][ipsec][tunnel_type]} SA \(SPI=\s?%{DATA:[cisco][asa][ipsec][spi]}\)`,
    String.raw` between %{IP:[source][ip]} and %{IP:[destination][ip]} \(user=\s?%{DATA:[source][user][name]}\) has been ${outcome}`,
  ].join(''),
  CISCOFW710001_710002_710003_710005_710006: `${transport} (?:request|access) ${outcome} from ${source} to ${egress}:${destination}`,
  CISCOFW713172: [
    'Group = %{DATA:[cisco][asa][source][group]}, IP = %{IP:[source][ip]}, Automatic NAT Detection Status:',
    String.raw`\s+Remote end${trimmed('[@metadata][cisco][asa][remote_nat]')}behind a NAT device`,
    String.raw`\s+This\s+end${trimmed('[@metadata][cisco][asa][local_nat]')}behind a NAT device`,
  ].join(''),
  CISCOFW733100: [
    String.raw`\[${trimmed(`${burst}[object]`)}\] drop %{DATA:${burst}[id]} exceeded\.`,
    ` Current burst rate is %{INT:${burst}[current_rate]:int} per second, max configured rate is %{INT:${burst}[configured_rate]:int};`,
    ` Current average rate is %{INT:${burst}[avg_rate]:int} per second, max configured rate is %{INT:${burst}[configured_avg_rate]:int};`,
    ` Cumulative total count is %{INT:${burst}[cumulative_count]:int}`,
  ].join(''),
}

const iptables: Record<string, string> = {
  IPTABLES_TCP_FLAGS: '(?:(?:CWR|ECE|URG|ACK|PSH|RST|SYN|FIN) )*',
  IPTABLES_TCP_PART: [
    String.raw`(?:SEQ=%{INT:[iptables][tcp][seq]:int}\s+)?(?:ACK=%{INT:[iptables][tcp][ack]:int}\s+)?`,
    String.raw`WINDOW=%{INT:[iptables][tcp][window]:int}\s+RES=0x%{BASE16NUM:[iptables][tcp_reserved_bits]}\s+%{IPTABLES_TCP_FLAGS:[iptables][tcp][flags]}`,
  ].join(''),
  // One flag at most: the space before a second one is nobody's.
  IPTABLES4_FRAG: String.raw`(?:(?<=\s)(?:CE|[DM]F))?`,
  IPTABLES4_PART: [
    String.raw`SRC=%{IPV4:[source][ip]}\s+DST=%{IPV4:[destination][ip]}\s+LEN=(?:%{INT:[iptables][length]:int})?`,
    String.raw`\s+TOS=(?:0x%{BASE16NUM:[iptables][tos]}|0)?\s+PREC=(?:0x%{BASE16NUM:[iptables][precedence_bits]})?`,
    String.raw`\s+TTL=(?:%{INT:[iptables][ttl]:int})?\s+ID=(?:%{INT:[iptables][id]})?`,
    String.raw`\s+%{IPTABLES4_FRAG:[iptables][fragment_flags]}(?:\s+FRAG: %{INT:[iptables][fragment_offset]:int})?`,
  ].join(''),
  IPTABLES6_PART: [
    String.raw`SRC=%{IPV6:[source][ip]}\s+DST=%{IPV6:[destination][ip]}\s+LEN=(?:%{INT:[iptables][length]:int})?`,
    String.raw`\s+TC=(?:0x%{BASE16NUM:[iptables][tos]}|0)?\s+HOPLIMIT=(?:%{INT:[iptables][ttl]:int})?`,
    String.raw`\s+FLOWLBL=(?:%{INT:[iptables][flow_label]})?`,
  ].join(''),
  // Behind the two hardware addresses the kernel prints two bytes of protocol.
  IPTABLES: [
    `IN=(?:${ingress})?`,
    String.raw`\s+OUT=(?:${egress})?\s+`,
    String.raw`(?:MAC=(?:%{COMMONMAC:[destination][mac]})?(?::%{COMMONMAC:[source][mac]})?(?::\h{2}:\h{2})?\s+)?`,
    '(?:%{IPTABLES4_PART}|%{IPTABLES6_PART}).*?PROTO=(?:%{WORD:[network][transport]})?',
    String.raw`\s+SPT=(?:%{INT:[source][port]:int})?\s+DPT=(?:%{INT:[destination][port]:int})?\s+(?:%{IPTABLES_TCP_PART})?`,
  ].join(''),
}

export const firewalls: Record<string, string> = {
  ...shared,
  ...cisco,
  ...iptables,
  NETSCREENSESSIONLOG: [
    '%{SYSLOGTIMESTAMP:timestamp} %{IPORHOST:[observer][hostname]} %{NOTSPACE:[observer][name]}:',
    String.raw` (?<[observer][product]>NetScreen) device_id=%{WORD:[netscreen][device_id]} .*?(?:system-\w+-%{NONNEGINT:[event][code]}\(%{WORD:[netscreen][session][type]}\))?:`,
    ' start_time="%{DATA:[netscreen][session][start_time]}" duration=%{INT:[netscreen][session][duration]:int} policy_id=%{INT:[netscreen][policy_id]}',
    ' service=%{DATA:[netscreen][service]} proto=%{INT:[netscreen][protocol_number]:int}',
    ' src zone=%{WORD:[observer][ingress][zone]} dst zone=%{WORD:[observer][egress][zone]} action=%{WORD:[event][action]}',
    ' sent=%{INT:[source][bytes]:int} rcvd=%{INT:[destination][bytes]:int} src=%{IPORHOST:[source][address]} dst=%{IPORHOST:[destination][address]}',
    '(?: src_port=%{INT:[source][port]:int} dst_port=%{INT:[destination][port]:int})?',
    '(?: src-xlated ip=%{IP:[source][nat][ip]} port=%{INT:[source][nat][port]:int} dst-xlated ip=%{IP:[destination][nat][ip]} port=%{INT:[destination][nat][port]:int})?',
    '(?: session_id=%{INT:[netscreen][session][id]} reason=%{GREEDYDATA:[netscreen][session][reason]})?',
  ].join(''),
  SHOREWALL:
    '%{SYSLOGTIMESTAMP:timestamp} %{SYSLOGHOST:[observer][hostname]} .*Shorewall:(?:%{WORD:[shorewall][firewall][type]})?:(?:%{WORD:[shorewall][firewall][action]})?.*%{IPTABLES}',
  SFW2_LOG_PREFIX: 'SFW2-INext-%{NOTSPACE:[suse][firewall][action]}',
  SFW2: String.raw`(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp})\s*%{HOSTNAME:[observer][hostname]}.*?%{SFW2_LOG_PREFIX:[suse][firewall][log_prefix]}\s*%{IPTABLES}`,
}

/**
 * Firewall logs: NetScreen, Cisco ASA, PIX and FWSM (a pattern per message number), Shorewall, SuSEfirewall2.
 * An interface or address that is followed by free text ends at the first separator; one before an address
 * may reach further.
 */
import { firewalls as shared, trimmed } from '../shared/firewalls.ts'

const unit = String.raw`\((?:Primary|Secondary)\)`
const fromTo = '%{IP:src_ip}/%{INT:src_port} to %{IP:dst_ip}/%{INT:dst_port}'
const fromInterface = '%{DATA:src_interface}:%{IP:src_ip}'
const toInterface = '%{DATA:dst_interface}:%{IP:dst_ip}'
const sourceUser = String.raw`(?:\(%{DATA:src_fwuser}\))?`
const destinationUser = String.raw`(?:\(%{DATA:dst_fwuser}\))?`
const hashCodes = String.raw`\[%{DATA:hashcode1}, %{DATA:hashcode2}\]`
const icmp = String.raw`\(type %{INT:icmp_type}, code %{INT:icmp_code}\)`

const cisco: Record<string, string> = {
  CISCO_TAGGED_SYSLOG:
    '^<%{POSINT:syslog_pri}>%{CISCOTIMESTAMP:timestamp}(?: %{SYSLOGHOST:sysloghost})? ?: %%{CISCOTAG:ciscotag}:',
  CISCOFW104001: `${unit} Switching to ACTIVE - %{GREEDYDATA:switch_reason}`,
  CISCOFW104002: `${unit} Switching to STANDBY - %{GREEDYDATA:switch_reason}`,
  CISCOFW105003: `${unit} Monitoring on [Ii]nterface %{GREEDYDATA:interface_name} waiting`,
  CISCOFW105004: `${unit} Monitoring on [Ii]nterface %{GREEDYDATA:interface_name} normal`,
  CISCOFW105005: `${unit} Lost Failover communications with mate on [Ii]nterface %{GREEDYDATA:interface_name}`,
  CISCOFW105008: `${unit} Testing [Ii]nterface %{GREEDYDATA:interface_name}`,
  CISCOFW105009: `${unit} Testing on [Ii]nterface %{GREEDYDATA:interface_name} (?:Passed|Failed)`,
  CISCOFW106001: `%{CISCO_DIRECTION:direction} %{WORD:protocol} connection %{CISCO_ACTION:action} from ${fromTo} flags %{GREEDYDATA:tcp_flags} on interface %{GREEDYDATA:interface}`,
  CISCOFW106006_106007_106010: [
    `%{CISCO_ACTION:action} %{CISCO_DIRECTION:direction} %{WORD:protocol} (?:from|src) %{IP:src_ip}/%{INT:src_port}${sourceUser}`,
    ` (?:to|dst) %{IP:dst_ip}/%{INT:dst_port}${destinationUser} (?:on interface %{DATA:interface}|due to %{CISCO_REASON:reason})`,
  ].join(''),
  CISCOFW106014: `%{CISCO_ACTION:action} %{CISCO_DIRECTION:direction} %{WORD:protocol} src ${fromInterface}${sourceUser} dst ${toInterface}${destinationUser} ${icmp}`,
  CISCOFW106015: String.raw`%{CISCO_ACTION:action} %{WORD:protocol} \(%{DATA:policy_id}\) from ${fromTo} flags %{DATA:tcp_flags}  on interface %{GREEDYDATA:interface}`,
  CISCOFW106021:
    '%{CISCO_ACTION:action} %{WORD:protocol} reverse path check from %{IP:src_ip} to %{IP:dst_ip} on interface %{GREEDYDATA:interface}',
  CISCOFW106023: [
    `%{CISCO_ACTION:action}(?: protocol)? %{WORD:protocol} src (?<src_interface>[^:]*):%{DATA:src_ip}(?:/%{INT:src_port})?${sourceUser}`,
    ` dst (?<dst_interface>[^:]*):%{DATA:dst_ip}(?:/%{INT:dst_port})?${destinationUser}(?: ${icmp})?`,
    ` by access-group "?%{DATA:policy_id}"? ${hashCodes}`,
  ].join(''),
  CISCOFW106100_2_3: [
    "access-list %{NOTSPACE:policy_id} %{CISCO_ACTION:action} %{WORD:protocol} for user '%{DATA:src_fwuser}'",
    String.raw` %{DATA:src_interface}/%{IP:src_ip}\(%{INT:src_port}\) -> %{DATA:dst_interface}/%{IP:dst_ip}\(%{INT:dst_port}\)`,
    ` hit-cnt %{INT:hit_count} %{CISCO_INTERVAL:interval} ${hashCodes}`,
  ].join(''),
  // Both users go into the one field.
  CISCOFW106100: [
    String.raw`access-list %{NOTSPACE:policy_id} %{CISCO_ACTION:action} %{WORD:protocol} %{DATA:src_interface}/%{IP:src_ip}\(%{INT:src_port}\)${sourceUser}`,
    String.raw` -> %{DATA:dst_interface}/%{IP:dst_ip}\(%{INT:dst_port}\)${sourceUser}`,
    ` hit-cnt %{INT:hit_count} %{CISCO_INTERVAL:interval} ${hashCodes}`,
  ].join(''),
  CISCOFW110002: `%{CISCO_REASON:reason} for %{WORD:protocol} from ${fromInterface}/%{INT:src_port} to %{IP:dst_ip}/%{INT:dst_port}`,
  CISCOFW302010: '%{INT:connection_count} in use, %{INT:connection_count_max} most used',
  CISCOFW302013_302014_302015_302016: [
    '%{CISCO_ACTION:action}(?: %{CISCO_DIRECTION:direction})? %{WORD:protocol} connection %{INT:connection_id}',
    String.raw` for ${fromInterface}/%{INT:src_port}(?: \(%{IP:src_mapped_ip}/%{INT:src_mapped_port}\))?${sourceUser}`,
    String.raw` to ${toInterface}/%{INT:dst_port}(?: \(%{IP:dst_mapped_ip}/%{INT:dst_mapped_port}\))?${destinationUser}`,
    String.raw`(?: duration %{TIME:duration} bytes %{INT:bytes})?(?: %{CISCO_REASON:reason})?(?: \(%{DATA:user}\))?`,
  ].join(''),
  CISCOFW302020_302021: [
    '%{CISCO_ACTION:action}(?: %{CISCO_DIRECTION:direction})? %{WORD:protocol} connection for faddr %{IP:dst_ip}/%{INT:icmp_seq_num}',
    String.raw`(?:\(%{DATA:fwuser}\))? gaddr %{IP:src_xlated_ip}/%{INT:icmp_code_xlated} laddr %{IP:src_ip}/%{INT:icmp_code}(?: \(%{DATA:user}\))?`,
  ].join(''),
  CISCOFW304001: `%{IP:src_ip}${sourceUser} Accessed URL %{IP:dst_ip}:%{GREEDYDATA:dst_url}`,
  CISCOFW305011: [
    `%{CISCO_ACTION:action} %{CISCO_XLATE_TYPE:xlate_type} %{WORD:protocol} translation from ${fromInterface}(?:/%{INT:src_port})?${sourceUser}`,
    ' to %{DATA:src_xlated_interface}:%{IP:src_xlated_ip}/%{DATA:src_xlated_port}',
  ].join(''),
  CISCOFW313001_313004_313008:
    '%{CISCO_ACTION:action} %{WORD:protocol} type=%{INT:icmp_type}, code=%{INT:icmp_code} from %{IP:src_ip} on interface %{DATA:interface}(?: to %{IP:dst_ip})?',
  CISCOFW313005: [
    '%{CISCO_REASON:reason} for %{WORD:protocol} error message: %{WORD:err_protocol}',
    String.raw` src %{DATA:err_src_interface}:%{IP:err_src_ip}(?:\(%{DATA:err_src_fwuser}\))?`,
    String.raw` dst %{DATA:err_dst_interface}:%{IP:err_dst_ip}(?:\(%{DATA:err_dst_fwuser}\))?`,
    String.raw` \(type %{INT:err_icmp_type}, code %{INT:err_icmp_code}\) on %{DATA:interface} interface\.`,
    String.raw`  Original IP payload: %{WORD:protocol} src %{IP:orig_src_ip}/%{INT:orig_src_port}(?:\(%{DATA:orig_src_fwuser}\))?`,
    String.raw` dst %{IP:orig_dst_ip}/%{INT:orig_dst_port}(?:\(%{DATA:orig_dst_fwuser}\))?`,
  ].join(''),
  CISCOFW321001: "Resource '%{WORD:resource_name}' limit of %{POSINT:resource_limit} reached for system",
  CISCOFW402117: String.raw`%{WORD:protocol}: Received a non-IPSec packet \(protocol= %{WORD:orig_protocol}\) from %{IP:src_ip} to %{IP:dst_ip}`,
  CISCOFW402119: [
    String.raw`%{WORD:protocol}: Received an %{WORD:orig_protocol} packet \(SPI= %{DATA:spi}, sequence number= %{DATA:seq_num}\)`,
    String.raw` from %{IP:src_ip} \(user= %{DATA:user}\) to %{IP:dst_ip} that failed anti-replay checking`,
  ].join(''),
  CISCOFW419001: `%{CISCO_ACTION:action} %{WORD:protocol} packet from ${fromInterface}/%{INT:src_port} to ${toInterface}/%{INT:dst_port}, reason: %{GREEDYDATA:reason}`,
  CISCOFW419002: `%{CISCO_REASON:reason} from ${fromInterface}/%{INT:src_port} to ${toInterface}/%{INT:dst_port} with different initial sequence number`,
  CISCOFW500004: `%{CISCO_REASON:reason} for protocol=%{WORD:protocol}, from ${fromTo}`,
  CISCOFW602303_602304: [
    String.raw`%{WORD:protocol}: An %{CISCO_DIRECTION:direction} %{GREEDYDATA:tunnel_type} SA \(SPI= %{DATA:spi}\)`,
    String.raw` between %{IP:src_ip} and %{IP:dst_ip} \(user= %{DATA:user}\) has been %{CISCO_ACTION:action}`,
  ].join(''),
  CISCOFW710001_710002_710003_710005_710006: `%{WORD:protocol} (?:request|access) %{CISCO_ACTION:action} from %{IP:src_ip}/%{INT:src_port} to ${toInterface}/%{INT:dst_port}`,
  CISCOFW713172: [
    'Group = %{GREEDYDATA:group}, IP = %{IP:src_ip}, Automatic NAT Detection Status:',
    String.raw`\s+Remote end${trimmed('is_remote_natted')}behind a NAT device\s+This\s+end${trimmed('is_local_natted')}behind a NAT device`,
  ].join(''),
  CISCOFW733100: [
    String.raw`\[${trimmed('drop_type')}\] drop %{DATA:drop_rate_id} exceeded\.`,
    ' Current burst rate is %{INT:drop_rate_current_burst} per second, max configured rate is %{INT:drop_rate_max_burst};',
    ' Current average rate is %{INT:drop_rate_current_avg} per second, max configured rate is %{INT:drop_rate_max_avg};',
    ' Cumulative total count is %{INT:drop_total_count}',
  ].join(''),
}

export const firewalls: Record<string, string> = {
  ...shared,
  ...cisco,
  NETSCREENSESSIONLOG: [
    '%{SYSLOGTIMESTAMP:date} %{IPORHOST:device} %{IPORHOST}: NetScreen device_id=%{WORD:device_id}%{DATA}:',
    ' start_time=%{QUOTEDSTRING:start_time} duration=%{INT:duration} policy_id=%{INT:policy_id} service=%{DATA:service} proto=%{INT:proto}',
    ' src zone=%{WORD:src_zone} dst zone=%{WORD:dst_zone} action=%{WORD:action} sent=%{INT:sent} rcvd=%{INT:rcvd}',
    ' src=%{IPORHOST:src_ip} dst=%{IPORHOST:dst_ip} src_port=%{INT:src_port} dst_port=%{INT:dst_port}',
    ' src-xlated ip=%{IPORHOST:src_xlated_ip} port=%{INT:src_xlated_port} dst-xlated ip=%{IPORHOST:dst_xlated_ip} port=%{INT:dst_xlated_port}',
    ' session_id=%{INT:session_id} reason=%{GREEDYDATA:reason}',
  ].join(''),
  // Each key is looked for from the end of the line, as the packet inside an ICMP error repeats them.
  SHOREWALL: [
    '%{SYSLOGTIMESTAMP:timestamp} %{WORD:nf_host} .*Shorewall:(?:%{WORD:nf_action1})?:(?:%{WORD:nf_action2})?',
    '.*IN=(?:%{USERNAME:nf_in_interface})?',
    '.*(?:OUT= *MAC=%{COMMONMAC:nf_dst_mac}:(?:%{COMMONMAC:nf_src_mac})?|OUT=%{USERNAME:nf_out_interface})',
    '.*SRC=%{IPV4:nf_src_ip}.*DST=%{IPV4:nf_dst_ip}.*LEN=%{WORD:nf_len}.*TOS=%{WORD:nf_tos}.*PREC=%{WORD:nf_prec}',
    '.*TTL=%{INT:nf_ttl}.*ID=%{INT:nf_id}.*PROTO=%{WORD:nf_protocol}',
    '.*SPT=(?:%{INT:nf_src_port})?.*DPT=(?:%{INT:nf_dst_port})?.*',
  ].join(''),
  SFW2: [
    String.raw`(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp})\s*%{HOSTNAME}\s*kernel\S+\s*(?:%{NAGIOSTIME}\s*)?`,
    String.raw`SFW2-INext-%{NOTSPACE:nf_action}\s*IN=%{USERNAME:nf_in_interface}`,
    String.raw`(?:[^a-zA-Z0-9._-].*)?OUT=\s*(?:%{USERNAME:nf_out_interface}\s*)?MAC=(?:%{COMMONMAC:nf_dst_mac}:%{COMMONMAC:nf_src_mac})?`,
    String.raw`.*SRC=%{IP:nf_src_ip}\s*DST=%{IP:nf_dst_ip}.*PROTO=%{WORD:nf_protocol}`,
    '(?:.*SPT=%{INT:nf_src_port}.*DPT=%{INT:nf_dst_port}.*)?',
  ].join(''),
}

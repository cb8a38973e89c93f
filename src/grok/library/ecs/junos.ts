/**
 * Flow sessions of Juniper's SRX: closed, created, denied. A name may hold spaces, but only the last of
 * neighbouring names ever has to: what stands before a number takes up the rest.
 */
const ends =
  '%{IP:[source][ip]}/%{INT:[source][port]:int}->%{IP:[destination][ip]}/%{INT:[destination][port]:int} %{DATA:[juniper][srx][service_name]}'
const translated = [
  ' %{IP:[source][nat][ip]}/%{INT:[source][nat][port]:int}->%{IP:[destination][nat][ip]}/%{INT:[destination][nat][port]:int}',
  ' (?:None|(?<[juniper][srx][src_nat_rule_name]>[^ ]*)) (?:None|%{DATA:[juniper][srx][dst_nat_rule_name]}) %{INT:[network][iana_number]}',
].join('')
const zones = ' (?<[rule][name]>[^ ]*) (?<[observer][ingress][zone]>[^ ]*)'

export const junos: Record<string, string> = {
  RT_FLOW_TAG: 'RT_FLOW_SESSION_(?:CREATE|CLOSE|DENY)',
  // The old name is kept as it always was in this set: the text itself, not a reference.
  RT_FLOW_EVENT: 'RT_FLOW_TAG',
  RT_FLOW1: [
    '%{RT_FLOW_TAG:[juniper][srx][tag]}: %{GREEDYDATA:[juniper][srx][reason]}: ',
    ends,
    translated,
    zones,
    ' %{DATA:[observer][egress][zone]} %{INT:[juniper][srx][session_id]}',
    String.raw` \d+\(%{INT:[source][bytes]:int}\) \d+\(%{INT:[destination][bytes]:int}\) %{INT:[juniper][srx][elapsed_time]:int} .*`,
  ].join(''),
  RT_FLOW2: [
    '%{RT_FLOW_TAG:[juniper][srx][tag]}: session created ',
    ends,
    translated,
    zones,
    ' %{DATA:[observer][egress][zone]} %{INT:[juniper][srx][session_id]} .*',
  ].join(''),
  RT_FLOW3: [
    '%{RT_FLOW_TAG:[juniper][srx][tag]}: session denied ',
    ends,
    String.raw` %{INT:[network][iana_number]}\(\d\)`,
    zones,
    ' (?<[observer][egress][zone]>[^ ]*) .*',
  ].join(''),
}

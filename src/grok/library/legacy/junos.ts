/**
 * Flow sessions of Juniper's SRX: closed, created, denied. A name may hold spaces, but only the last of
 * neighbouring names ever has to: what stands before a number takes up the rest.
 */
export const junos: Record<string, string> = {
  RT_FLOW_EVENT: 'RT_FLOW_SESSION_(?:CREATE|CLOSE|DENY)',
  RT_FLOW1: [
    '%{RT_FLOW_EVENT:event}: %{GREEDYDATA:close-reason}: %{IP:src-ip}/%{INT:src-port}->%{IP:dst-ip}/%{INT:dst-port} %{DATA:service}',
    ' %{IP:nat-src-ip}/%{INT:nat-src-port}->%{IP:nat-dst-ip}/%{INT:nat-dst-port}',
    ' (?<src-nat-rule-name>[^ ]*) %{DATA:dst-nat-rule-name} %{INT:protocol-id}',
    ' (?<policy-name>[^ ]*) (?<from-zone>[^ ]*) %{DATA:to-zone} %{INT:session-id}',
    String.raw` \d+\(%{DATA:sent}\) \d+\(%{DATA:received}\) %{INT:elapsed-time} .*`,
  ].join(''),
  RT_FLOW2: [
    '%{RT_FLOW_EVENT:event}: session created %{IP:src-ip}/%{INT:src-port}->%{IP:dst-ip}/%{INT:dst-port} %{DATA:service}',
    ' %{IP:nat-src-ip}/%{INT:nat-src-port}->%{IP:nat-dst-ip}/%{INT:nat-dst-port}',
    ' (?<src-nat-rule-name>[^ ]*) %{DATA:dst-nat-rule-name} %{INT:protocol-id}',
    ' (?<policy-name>[^ ]*) (?<from-zone>[^ ]*) %{DATA:to-zone} %{INT:session-id} .*',
  ].join(''),
  RT_FLOW3: [
    '%{RT_FLOW_EVENT:event}: session denied %{IP:src-ip}/%{INT:src-port}->%{IP:dst-ip}/%{INT:dst-port} %{DATA:service}',
    String.raw` %{INT:protocol-id}\(\d\) (?<policy-name>[^ ]*) (?<from-zone>[^ ]*) (?<to-zone>[^ ]*) .*`,
  ].join(''),
}

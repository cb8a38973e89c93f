/**
 * Bro: its tab-separated logs. The first column of each run of free columns takes what is too much for the
 * others, which is what a greedy match of every column comes to, at a fraction of the tries.
 */
import { column, tabbed } from '../field-list.ts'

const connection = tabbed(
  '%{NUMBER:ts}',
  '%{NOTSPACE:uid}',
  '%{IP:orig_h}',
  '%{INT:orig_p}',
  '%{IP:resp_h}',
  '%{INT:resp_p}',
)
const columns = (...fields: string[]): string => tabbed(...fields.map(column))

export const bro: Record<string, string> = {
  BRO_HTTP: tabbed(
    connection,
    '%{INT:trans_depth}',
    '%{GREEDYDATA:method}',
    columns('domain', 'uri', 'referrer', 'user_agent'),
    '%{NUMBER:request_body_len}',
    '%{NUMBER:response_body_len}',
    '%{GREEDYDATA:status_code}',
    columns('status_msg', 'info_code', 'info_msg', 'filename', 'bro_tags', 'username', 'password', 'proxied'),
    columns('orig_fuids', 'orig_mime_types', 'resp_fuids', 'resp_mime_types'),
  ),
  BRO_DNS: tabbed(
    connection,
    '%{WORD:proto}',
    '%{INT:trans_id}',
    '%{GREEDYDATA:query}',
    columns('qclass', 'qclass_name', 'qtype', 'qtype_name', 'rcode', 'rcode_name'),
    columns('AA', 'TC', 'RD', 'RA', 'Z', 'answers', 'TTLs', 'rejected'),
  ),
  BRO_CONN: tabbed(
    connection,
    '%{WORD:proto}',
    '%{GREEDYDATA:service}',
    '%{NUMBER:duration}',
    '%{NUMBER:orig_bytes}',
    '%{NUMBER:resp_bytes}',
    '%{GREEDYDATA:conn_state}',
    columns('local_orig', 'missed_bytes', 'history', 'orig_pkts', 'orig_ip_bytes'),
    columns('resp_pkts', 'resp_ip_bytes', 'tunnel_parents'),
  ),
  BRO_FILES: tabbed(
    '%{NUMBER:ts}',
    '%{NOTSPACE:fuid}',
    '%{IP:tx_hosts}',
    '%{IP:rx_hosts}',
    '%{NOTSPACE:conn_uids}',
    '%{GREEDYDATA:source}',
    columns('depth', 'analyzers', 'mime_type', 'filename', 'duration', 'local_orig', 'is_orig'),
    columns('seen_bytes', 'total_bytes', 'missing_bytes', 'overflow_bytes', 'timedout', 'parent_fuid'),
    columns('md5', 'sha1', 'sha256', 'extracted'),
  ),
}

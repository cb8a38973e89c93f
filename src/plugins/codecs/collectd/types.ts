/**
 * Names of the values of collectd's types. Only types with several values have names that matter; those of collectd
 * 5.12 are here, files in the format of `types.db` add others.
 */
import { readFileSync } from 'node:fs'

const builtIn = `
arc_counts demand_data demand_metadata prefetch_data prefetch_metadata
arc_l2_bytes read write
arc_size current target minlimit maxlimit
compression uncompressed compressed
df used free
disk_io_time io_time weighted_io_time
disk_latency disk_merged disk_octets disk_ops disk_time io_ops ps_disk_octets ps_disk_ops: read write
dns_octets queries responses
domain_state state reason
ib_octets ib_packets if_dropped if_errors if_octets if_packets: rx tx
io_octets io_packets memcached_octets mysql_octets node_octets serial_octets: rx tx
load shortterm midterm longterm
mysql_qcache hits inserts not_cached lowmem_prunes queries_in_cache
mysql_threads running connected cached created
ps_count processes threads
ps_cputime user syst
ps_pagefaults vmpage_faults: minflt majflt
smart_attribute current worst threshold pretty
vf_bytes vf_dropped vf_packets: vf_rx vf_tx
vmpage_io in out
voltage_threshold value threshold`

type TypeTable = ReadonlyMap<string, readonly string[]>

/** A line of `types.db`: `name value:KIND:MIN:MAX, value:KIND:MIN:MAX`. Later files win. */
export function readTypes(paths: readonly string[]): TypeTable {
  const table = new Map<string, readonly string[]>()
  if (paths.length === 0) return builtInTypes()
  for (const path of paths) {
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const [name = '', ...values] = line.trim().split(/\s+/)
      if (name === '' || name.startsWith('#')) continue
      table.set(
        name,
        values.map((value) => value.split(':')[0]!),
      )
    }
  }
  return table
}

function builtInTypes(): TypeTable {
  const table = new Map<string, readonly string[]>()
  for (const line of builtIn.trim().split('\n')) {
    const [left = '', right] = line.split(': ')
    const words = left.split(' ')
    const names = right === undefined ? words.slice(0, 1) : words
    const values = right === undefined ? words.slice(1) : right.split(' ')
    for (const name of names) table.set(name, values)
  }
  return table
}

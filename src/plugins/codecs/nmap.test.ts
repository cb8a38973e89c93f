import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith, type TestOptions } from '../../plugin/testing.ts'
import nmap from './nmap.ts'
import { mutations } from './test-mutations.ts'

const report = `<?xml version="1.0"?>
<!DOCTYPE nmaprun>
<nmaprun scanner="nmap" args="nmap -A host" start="1700000000" version="7.93">
<host starttime="1700000001" endtime="1700000009"><status state="up" reason="echo-reply"/>
<address addr="192.0.2.7" addrtype="ipv4"/><address addr="00:11:22:33:44:55" addrtype="mac" vendor="V"/>
<hostnames><hostname name="h.example" type="PTR"/></hostnames>
<ports><extraports state="closed" count="998"/>
<port protocol="tcp" portid="22"><state state="open" reason="syn-ack"/><service name="ssh" product="OpenSSH" method="probed" conf="10"/></port>
<port protocol="tcp" portid="443"><state state="open" reason="syn-ack"/><service name="http" tunnel="ssl" method="table" conf="3"/></port>
</ports>
<os><portused state="open" proto="tcp" portid="22"/><osmatch name="Linux" accuracy="95"><osclass type="general purpose" vendor="Linux" osfamily="Linux" osgen="5.X" accuracy="95"/></osmatch></os>
<uptime seconds="100" lastboot="Tue Nov 14 22:11:41 2023"/>
<trace port="22" proto="tcp"><hop ttl="1" ipaddr="192.0.2.1" rtt="1.50" host="gw"/><hop ttl="2" ipaddr="192.0.2.7" rtt="9.1"/></trace>
</host>
<runstats><finished time="1700000010" elapsed="10.05" exit="success"/><hosts up="1" down="0" total="1"/></runstats>
</nmaprun>`

const decode = (options: TestOptions = {}) =>
  JSON.parse(JSON.stringify(decodeWith(codecFor(nmap, options), report)))

describe('nmap', () => {
  it('makes events of scan, ports, routes and hosts', () => {
    const events = decode()
    expect(events.map((event: { type: string }) => event.type)).toEqual([
      'nmap_scan_metadata',
      'nmap_port',
      'nmap_port',
      'nmap_traceroute_link',
      'nmap_traceroute_link',
      'nmap_host',
    ])
    expect(events[0]).toMatchObject({
      arguments: 'nmap -A host',
      version: '7.93',
      host_stats: { up: 1, down: 0, total: 1 },
      run_stats: { finished: { elapsed: 10.05, exit: 'success', time: '2023-11-14T22:13:30.000Z' } },
      start_time: '2023-11-14T22:13:20.000Z',
      end_time: '2023-11-14T22:13:30.000Z',
    })
    expect(events[2]).toMatchObject({
      ip: '192.0.2.7',
      mac: '00:11:22:33:44:55',
      hostname: { name: 'h.example', type: 'PTR' },
      status: { state: 'up', reason: 'echo-reply' },
      port: {
        number: 443,
        protocol: 'tcp',
        state: 'open',
        service: { name: 'http', ssl: true, confidence: 3 },
      },
      id: `${events[0].scan_id}-h0-p1`,
    })
    expect(events[3]).toMatchObject({ from: { address: '192.0.2.1', rtt: 1 }, to: { ttl: 2 }, rtt_diff: 8 })
    expect(events[5]).toMatchObject({
      os: {
        ports_used: [22],
        classes: [{ family: 'Linux', accuracy: 95 }],
        matches: [{ name: 'Linux', accuracy: 95 }],
      },
      uptime: { seconds: 100, last_boot: '2023-11-14T22:11:41.000Z' },
      traceroute: { port: 22, protocol: 'tcp' },
      ports: [{ number: 22 }, { number: 443 }],
    })
  })

  it('leaves out what is not wanted', () => {
    const options = { emit_ports: false, emit_hosts: false, emit_traceroute_links: false }
    expect(decode(options)).toHaveLength(1)
    expect(decode({ ...options, emit_scan_metadata: false })).toEqual([])
  })

  it.each(['<nmaprun>', '<other/>', 'text'])('tags %s', (text) => {
    expect(decodeWith(codecFor(nmap), text)).toEqual([{ message: text, tags: ['_nmapparsefailure'] }])
  })

  it('survives 10,000 mutated reports', () => {
    const codec = codecFor(nmap)
    const small =
      '<nmaprun><host><ports><port portid="1"/></ports><trace><hop ttl="1"/></trace></host></nmaprun>'
    for (const bytes of mutations([Buffer.from(small)], 10_000)) {
      if (decodeWith(codec, bytes).length > 50) expect.fail(bytes.toString('hex'))
    }
  })
})

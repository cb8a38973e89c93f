// When a row loses its speed, and what the report then says.
import { expect, test } from 'vitest'
import { markdown } from './report.mjs'
import { compareDigests } from './rounds.mjs'

const each = {
  id: 'c',
  kind: 'throughput',
  quantities: ['CPU µs/event', 'events/s', 'max RSS MB'],
  digest: { kind: 'bytes' },
}
const sample = (sha256, cpu, count = 10) => ({
  events: 10,
  values: { 'CPU µs/event': cpu, 'events/s': 1000, 'max RSS MB': 50 },
  digest: { count, unit: 'bytes', sha256 },
})
const row = (name, ...samples) => ({ case: each, subject: { name }, samples, error: undefined })
const print = (results) =>
  markdown({
    machine: { cpu: 'x', cores: 2, memoryMb: 1, system: 's', node: 'v20', load: [0, 0, 0], peers: [] },
    loadAfter: [0, 0, 0],
    calibration: [{ json: 1, regex: 1 }],
    results,
    options: { rounds: 1 },
  })

test('an equal digest has a speed and a ratio of medians', () => {
  const rows = [
    row('limit', sample('aaaaaaaa', 1), sample('aaaaaaaa', 2)),
    row('millrace', sample('aaaaaaaa', 3)),
  ]
  compareDigests(rows)
  expect(rows.map((each) => each.error)).toEqual([undefined, undefined])
  expect(print(rows)).toContain('| c | millrace | 10 | 3.000 | 3.000 | 1,000 | 50 | 2.00 | 1.00 | aaaaaaaa |')
})

test('another digest has no speed', () => {
  const rows = [row('limit', sample('aaaaaaaa', 1)), row('millrace', sample('bbbbbbbb', 0.001))]
  compareDigests(rows)
  expect(rows[1].error).toBe('wrong digest: no speed (10 bytes bbbbbbbb, expected 10 bytes aaaaaaaa)')
  expect(print(rows)).not.toContain('0.001')
})

test('a limit program that loses events proves nothing', () => {
  const rows = [row('limit', sample('aaaaaaaa', 1, 9)), row('millrace', sample('aaaaaaaa', 1, 9))]
  compareDigests(rows)
  expect(rows[0].error).toMatch(/^wrong digest/)
  expect(rows[1].error).toBe('no digest to compare with: no speed')
})

test('a peer whose lines are only counted needs as many as there were events', () => {
  const counted = (count) => {
    const rows = [row('limit', sample('aaaaaaaa', 1)), row('millrace', sample('aaaaaaaa', 2))]
    rows.push({
      ...row('rsyslogd', sample(undefined, 5, count)),
      subject: { name: 'rsyslogd', kind: 'peer' },
    })
    compareDigests(rows)
    return rows
  }
  const rows = counted(10)
  expect(rows[2].error).toBeUndefined()
  expect(print(rows)).toContain('| c | rsyslogd | 5.000 | 2.000 | 2.50 |')
  expect(counted(9)[2].error).toBe('wrong output: no speed (9 lines for 10 events)')
  expect(print(counted(9))).toContain('| c | rsyslogd |  |  | wrong output: no speed |')
})

// The generators: the same bytes for the same seed, and the shapes the cases rely on.
import { expect, test } from 'vitest'
import * as apache from './apache.mjs'
import { HOSTILE_EVERY, hostile, hostileLine, notAscii, truncated } from './apache-variants.mjs'
import * as garbage from './garbage.mjs'
import * as jsonLogs from './json-logs.mjs'
import { pipelineConfig } from './pipeline-config.mjs'
import * as storeLogs from './store-logs.mjs'
import * as syslog from './syslog.mjs'

const mean = (lines) => lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0) / lines.length

test.each([
  ['apache', apache],
  ['json-logs', jsonLogs],
  ['store-logs', storeLogs],
  ['syslog', syslog],
  ['garbage', garbage],
  ['truncated', truncated],
  ['not ASCII', notAscii(10)],
])('%s depends on count and seed only, and fewer lines are a prefix', (_, { lines }) => {
  const all = [...lines(300, 7)]
  expect([...lines(300, 7)]).toEqual(all)
  expect([...lines(100, 7)]).toEqual(all.slice(0, 100))
  expect([...lines(300, 8)]).not.toEqual(all)
  expect(all.some((line) => line.includes('\n'))).toBe(false)
})

test('apache lines have the combined form', () => {
  const all = [...apache.lines(2000, 42)]
  const combined =
    /^[\d.]+ - \S+ \[\d\d\/\w{3}\/\d{4}:[\d:]{8} \+0000\] "\w+ \S+ HTTP\/1\.[01]" \d{3} (\d+|-) "[^"]+" "[^"]+"$/
  for (const line of all) expect(line).toMatch(combined)
  expect(mean(all)).toBeGreaterThan(175)
  expect(mean(all)).toBeLessThan(215)
})

test('JSON lines: size, floats, one in 1000 not ASCII, no field an input would set', () => {
  const all = [...jsonLogs.lines(5000, 42)]
  expect(mean(all)).toBeGreaterThan(264)
  expect(mean(all)).toBeLessThan(284)
  expect(all.filter((line) => Buffer.byteLength(line) !== line.length)).toHaveLength(5)
  for (const line of all) {
    const event = JSON.parse(line)
    for (const float of [event.duration, event.order.total]) {
      expect(String(float)).toMatch(/^[1-9]\d*\.\d*[1-9]$/)
    }
    for (const field of ['host', 'port', 'message', 'tags', 'env']) expect(event).not.toHaveProperty(field)
  }
  expect(all.some((line) => JSON.parse(line).level === 'error')).toBe(true)
})

test('syslog lines begin with priority, time, host and program', () => {
  for (const line of syslog.lines(2000, 42)) {
    expect(line).toMatch(/^<\d{1,3}>[A-Z][a-z]{2} [ \d]\d [\d:]{8} \S+ [\w/]+\[\d+\]: ./)
  }
})

test('a configuration has the length asked for and balanced braces', () => {
  for (const length of [20, 1000, 1003]) {
    const text = pipelineConfig(length, 42)
    expect(text.split('\n')).toHaveLength(length + 1)
    const inStrings = text.replace(/"[^"\n]*"/g, '')
    expect(inStrings.split('{').length).toBe(inStrings.split('}').length)
  }
})

test('the asked share of lines is not ASCII, and those are still combined lines', () => {
  const foreign = (lines) => lines.filter((line) => Buffer.byteLength(line) !== line.length)
  expect(foreign([...notAscii(100).lines(2000, 42)])).toHaveLength(20)
  const all = [...notAscii(1).lines(600, 42)]
  expect(foreign(all)).toHaveLength(600)
  for (const line of all) expect(line).toMatch(/" \d{3} (\d+|-) "[^"]+" "[^"]+"$/)
})

test('a cut line has lost its last quote', () => {
  const whole = [...apache.lines(2000, 42)]
  for (const [index, line] of [...truncated.lines(2000, 42)].entries()) {
    expect(whole[index].startsWith(line)).toBe(true)
    expect(line.length).toBeLessThan(whole[index].length)
  }
})

test('one hostile line in every 10,000', () => {
  const all = [...hostile.lines(2 * HOSTILE_EVERY, 42)]
  expect(all.filter((line) => line === hostileLine)).toHaveLength(2)
})

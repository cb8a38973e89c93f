import { expect, it } from 'vitest'
import { maxRecentBytes, recentSources } from './recent-sources.ts'

function add(reader: number, doc: number, text: string, room = text.length): void {
  const recent = recentSources()
  const at = recent.room(room)
  for (let i = 0; i < text.length; i++) recent.view.setUint8(at + i, text.charCodeAt(i))
  expect(recent.add(reader, doc, text.length)).toBe(text)
}

it('keeps what was added last, of each reader', () => {
  const recent = recentSources()
  add(1, 7, 'one')
  add(1, 8, 'two', 100)
  expect([recent.text(1, 7), recent.text(1, 8), recent.text(2, 7)]).toEqual(['one', 'two', undefined])
})

it('forgets what was overwritten, and nothing else', () => {
  const recent = recentSources()
  const text = (doc: number) => String.fromCharCode(97 + (doc % 26)).repeat(maxRecentBytes - 1)
  for (let doc = 0; doc < 100; doc++) {
    add(3, doc, text(doc))
    const there = Array.from({ length: doc + 1 }, (_, one) => recent.text(3, one))
    const first = there.findIndex((one) => one !== undefined)
    expect(doc - first).toBeLessThanOrEqual(16)
    expect(doc - first).toBeGreaterThanOrEqual(Math.min(doc, 14))
    for (let one = first; one <= doc; one++) expect(there[one]).toBe(text(one))
  }
})

it('forgets what was overwritten by a source that was never added', () => {
  const recent = recentSources()
  add(4, 1, 'first')
  for (let i = 0; i < 17; i++) recent.view.setUint8(recent.room(maxRecentBytes), 0)
  expect(recent.text(4, 1)).toBe(undefined)
})

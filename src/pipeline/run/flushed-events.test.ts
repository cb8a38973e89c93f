import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import type { DeadLetter } from '../../plugin/dead-letter.ts'
import { deliverFlushed } from './flushed-events.ts'

const quiet = { trace() {}, debug() {}, info() {}, warn() {}, fatal() {} }

function surroundings(takes: (letter: DeadLetter) => boolean = () => true) {
  const letters: DeadLetter[] = []
  const lines: Record<string, unknown>[] = []
  const ending = new AbortController()
  const settings = {
    abort: ending.signal,
    logger: {
      ...quiet,
      error: (_: string, fields?: Record<string, unknown>) => void lines.push(fields ?? {}),
    },
    deadLetters: { write: (letter: DeadLetter) => takes(letter) && letters.push(letter) > 0 },
  }
  const numbers = () => letters.map(({ event }) => event.get('number'))
  return { ending, settings, lines, letters, numbers }
}

const events = () => [1, 2, 3].map((number) => Event.from({ number }))

describe('events that filters held back', () => {
  it('are no concern of the dead letters when the outputs have them', async () => {
    const { ending, settings, letters, lines } = surroundings()
    await deliverFlushed(events(), { ...settings, emit: async () => [Promise.resolve()] })
    ending.abort()
    expect([letters, lines]).toEqual([[], []])
  })

  it('go to the dead letters when the outputs are told to end their waits', async () => {
    const { ending, settings, numbers, lines } = surroundings((letter) => letter.event.get('number') !== 2)
    const waiting = new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()))
    const delivered = deliverFlushed(events(), { ...settings, emit: async () => [waiting] })
    ending.abort()
    await delivered
    expect(numbers()).toEqual([1, 3])
    expect(lines).toMatchObject([{ dead_letters: 2, lost: 1 }])
  })

  it('go to the dead letters when that was before they came', async () => {
    const { ending, settings, numbers } = surroundings()
    ending.abort()
    await deliverFlushed(events(), { ...settings, emit: async () => [] })
    expect(numbers()).toEqual([1, 2, 3])
  })

  it('go to the dead letters, once, when an output fails', async () => {
    const { ending, settings, letters } = surroundings()
    const emit = async () => [Promise.reject(new Error('the output is gone'))]
    await expect(deliverFlushed(events(), { ...settings, emit })).rejects.toThrow('the output is gone')
    ending.abort()
    expect(letters.map(({ reason }) => reason)).toEqual(Array(3).fill('the output is gone'))
  })

  it('are counted as lost where there are no dead letters', async () => {
    const { ending, settings, lines } = surroundings()
    ending.abort()
    await deliverFlushed(events(), { ...settings, deadLetters: undefined, emit: async () => [] })
    expect(lines).toMatchObject([{ dead_letters: 0, lost: 3 }])
  })
})

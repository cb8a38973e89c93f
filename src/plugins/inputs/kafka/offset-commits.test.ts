import { describe, expect, it } from 'vitest'
import { OffsetCommits } from './offset-commits.ts'

const record = (partition: number, offset: number) => ({ topic: 't', partition, offset: BigInt(offset) })

function commits(send: (text: string[]) => boolean | Promise<boolean> = () => true) {
  const sent: string[][] = []
  const failures: string[] = []
  const offsets = new OffsetCommits({
    async send(given) {
      const texts = given.map(({ partition, offset }) => `${partition}:${offset}`)
      sent.push(texts)
      return send(texts)
    },
    failed: ({ message }) => failures.push(message),
  })
  return { offsets, sent, failures }
}

describe('offset commits', () => {
  it('sends the offset after the last record before which every one is safe, all partitions in one request', async () => {
    const { offsets, sent } = commits()
    const [a, b, c, d] = [record(1, 5), record(1, 6), record(1, 8), record(2, 0)].map((one) =>
      offsets.track(one),
    )
    b!()
    d!()
    await offsets.finish()
    expect(sent).toEqual([['2:1']])
    a!()
    await offsets.finish()
    c!()
    await offsets.finish()
    expect(sent).toEqual([['2:1'], ['1:7'], ['1:9']])
  })

  it('commits where reading began, unless something was read', async () => {
    const { offsets, sent } = commits()
    offsets.track(record(2, 8))
    for (const begin of [record(1, 5), record(2, 3)]) offsets.begin(begin)
    await offsets.finish()
    expect(sent).toEqual([['1:5']])
    offsets.begin(record(1, 4))
    await offsets.finish()
    expect(sent).toHaveLength(1)
    offsets.track(record(1, 5))!()
    await offsets.finish()
    expect(sent.at(-1)).toEqual(['1:6'])
  })

  it('leaves partitions alone that another consumer has now', async () => {
    const { offsets, sent } = commits()
    const dones = [record(1, 5), record(2, 8), record(2, 9)].map((one) => offsets.track(one))
    offsets.keep([{ topic: 't', partitions: [2] }])
    for (const done of dones) done!()
    await offsets.finish()
    expect(sent).toEqual([['2:10']])
  })

  it('knows records again that were handed over, until their partition was elsewhere', () => {
    const { offsets } = commits()
    offsets.track(record(1, 5))
    expect(offsets.track(record(1, 5))).toBeUndefined()
    expect(offsets.track(record(1, 6))).toBeDefined()
    offsets.keep([])
    expect(offsets.track(record(1, 5))).toBeDefined()
  })

  it.each([
    ['is refused', () => false],
    ['fails', () => Promise.reject(new Error('no coordinator'))],
  ])('tries again what %s, unless something later is safe', async (_, answer) => {
    let tries = 0
    const { offsets, sent } = commits(() => (tries++ === 0 ? answer() : true))
    offsets.track(record(1, 5))!()
    await offsets.finish()
    offsets.track(record(1, 6))!()
    await offsets.finish()
    await offsets.finish()
    expect(sent).toEqual([['1:6'], ['1:7']])
    offsets.track(record(1, 7))!()
    await offsets.finish()
    expect(sent.at(-1)).toEqual(['1:8'])
  })
})

import { describe, expect, it } from 'vitest'
import {
  checkedBytes,
  DamagedFile,
  type FileKind,
  readChecked,
  UnknownFormat,
  writeChecked,
} from './checked-file.ts'
import { SimulatedDisk, seededRandom } from './simulated-disk.ts'

const kind: FileKind = { name: 'sample', version: 2, firstRead: 2 }
const body = Buffer.from('{"a":[1,2,3],"text":"äöü"}')

function written(): SimulatedDisk {
  const disk = new SimulatedDisk()
  disk.makeDirectory('d')
  writeChecked(disk, 'd/f', kind, body)
  return disk
}

describe('a checked file', () => {
  it('comes back as it was written', () => {
    expect(Buffer.from(readChecked(written(), 'd/f', kind))).toEqual(body)
  })

  it('is refused when any bit of it is flipped', () => {
    const bits = written().sizeOf('d/f') * 8
    for (let bit = 0; bit < bits; bit++) {
      const disk = written()
      disk.flipBit('d/f', bit)
      expect(() => readChecked(disk, 'd/f', kind), `bit ${bit}`).toThrow(DamagedFile)
    }
  })

  it('is refused when it was cut off anywhere, has more bytes, or is missing', () => {
    const size = written().sizeOf('d/f')
    for (let length = 0; length < size; length++) {
      const disk = written()
      disk.cutTo('d/f', length)
      expect(() => readChecked(disk, 'd/f', kind), `${length} bytes`).toThrow(/d\/f is damaged/)
    }
    const longer = written()
    longer.openAppend('d/f').append([new Uint8Array(1)])
    expect(() => readChecked(longer, 'd/f', kind)).toThrow(/27 .* bytes|has \d+ bytes where/)
    const none = written()
    none.lose('d/f')
    expect(() => readChecked(none, 'd/f', kind)).toThrow('d/f is missing')
  })

  it('of a newer or a forgotten format is told apart from a damaged one', () => {
    const disk = written()
    disk.write('d/newer', checkedBytes({ ...kind, version: 3 }, body))
    expect(() => readChecked(disk, 'd/newer', kind)).toThrow(UnknownFormat)
    disk.write('d/older', checkedBytes({ ...kind, version: 1 }, body))
    expect(() => readChecked(disk, 'd/older', kind)).toThrow(UnknownFormat)
    disk.write('d/other', checkedBytes({ ...kind, name: 'other' }, body))
    expect(() => readChecked(disk, 'd/other', kind)).toThrow('is a other file where a sample file belongs')
  })

  it('is the old one or the new one after a power cut at any call', () => {
    const next = Buffer.from('{"a":[4]}')
    for (let seed = 0; seed < 500; seed++) {
      const random = seededRandom(seed)
      const disk = written()
      const last = disk.calls + Math.floor(random() * 6)
      disk.fault = ({ number }) => (number >= last ? 'EIO' : undefined)
      let isDone = true
      try {
        writeChecked(disk, 'd/f', kind, next)
      } catch {
        isDone = false
      }
      const found = Buffer.from(readChecked(disk.powerCut(random), 'd/f', kind)).toString()
      expect(isDone ? [next.toString()] : [body.toString(), next.toString()], `seed ${seed}`).toContain(found)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { Board } from './board.ts'

describe('a board', () => {
  it('adds up what threads write to their rows, cell by cell for wide keys', () => {
    const board = Board.create(['a', ['wide', 3], 'b'], 2)
    const other = new Board(structuredClone(board.layout))
    board.row(0)[board.column('a')] = 1
    other.row(1)[other.column('a')] = 2
    other.row(1)[other.column('b')] = 5
    board.row(1).set([7, 8, 9], board.column('wide'))
    expect([board.sum('a'), board.sum('b'), board.sum('none')]).toEqual([3, 5, 0])
    expect(board.sumAt(board.column('a'))).toBe(3)
    expect(board.values('a')).toEqual([1, 2])
    expect(board.wide('wide').map((cells) => [...cells])).toEqual([
      [0, 0, 0],
      [7, 8, 9],
    ])
    expect(board.wide('none')).toEqual([])
    expect(() => board.column('none')).toThrow('no metric called none')
  })

  it('is the same one on the other side of a thread', () => {
    const board = Board.create(['a'], 1)
    expect(structuredClone(board.layout).id).toBe(board.layout.id)
    expect(Board.create(['a'], 1).layout.id).not.toBe(board.layout.id)
  })
})

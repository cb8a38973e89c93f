import { describe, expect, it } from 'vitest'
import { homeOf } from './home.ts'

describe('homeOf', () => {
  it('is the folder of a checkout, wherever it is started from', () => {
    expect(homeOf('/opt/millrace', '/home/mara')).toBe('/opt/millrace')
    expect(homeOf('/opt/my node_modules/millrace', '/home/mara')).toBe('/opt/my node_modules/millrace')
  })

  it('is the working directory of an installed package, because npm empties node_modules', () => {
    expect(homeOf('/home/mara/shop/node_modules/millrace', '/home/mara/shop')).toBe('/home/mara/shop')
    expect(homeOf('/usr/lib/node_modules/millrace', '/srv/logs')).toBe('/srv/logs')
    expect(homeOf('C:\\shop\\node_modules\\millrace', 'C:\\shop')).toBe('C:\\shop')
  })
})

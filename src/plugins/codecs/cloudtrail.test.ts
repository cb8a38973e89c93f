import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith } from '../../plugin/testing.ts'
import cloudtrail from './cloudtrail.ts'

const records = [
  {
    eventVersion: '1.0',
    eventTime: '2014-03-06T21:22:54Z',
    eventName: 'StartInstances',
    requestParameters: null,
  },
  { eventTime: '2014-03-06T21:23:00Z', requestParameters: { disableApiTermination: { value: true } } },
  { eventTime: '2014-03-06T21:23:01Z', requestParameters: { disableApiTermination: false, a: 1 } },
]

describe('cloudtrail codec', () => {
  it('makes an event of each record, at the time of the record', () => {
    const events = decodeWith(codecFor(cloudtrail), JSON.stringify({ Records: records }))
    expect(events.map((event) => String(event['@timestamp']))).toEqual([
      '2014-03-06T21:22:54.000Z',
      '2014-03-06T21:23:00.000Z',
      '2014-03-06T21:23:01.000Z',
    ])
    expect(events[0]).toMatchObject({ eventName: 'StartInstances', requestParameters: null })
    expect(events.every((event) => !('eventTime' in event))).toBe(true)
  })

  it('wraps disableApiTermination unless it is an object already', () => {
    const events = decodeWith(codecFor(cloudtrail), JSON.stringify({ Records: records }))
    expect(events[1]!['requestParameters']).toEqual({ disableApiTermination: { value: true } })
    expect(events[2]!['requestParameters']).toEqual({ disableApiTermination: { value: false }, a: 1 })
  })

  it.each(['{}', '{"Records":null}', ''])('makes nothing of %j', (text) => {
    expect(decodeWith(codecFor(cloudtrail), text)).toEqual([])
  })

  it('keeps a text that it cannot read', () => {
    expect(decodeWith(codecFor(cloudtrail), '{"Records":[')).toEqual([
      { message: '{"Records":[', tags: ['_jsonparsefailure'] },
    ])
  })
})

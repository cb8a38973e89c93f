/** The cloudtrail codec: a payload is a log file of AWS CloudTrail, `{"Records":[…]}`, each record an event. */
import { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { type Fields, isFields, readField, type Value } from '../../event/value.ts'
import { defineCodec } from '../../plugin/define.ts'
import { charsetOption, decodeText } from '../decoding/charset.ts'

const maxLoggedLength = 1000

export default defineCodec({
  name: 'cloudtrail',
  summary: 'Reads log files of AWS CloudTrail.',
  description:
    'Each record becomes an event whose time is its `eventTime`. `requestParameters.disableApiTermination`, which is ' +
    'sometimes an object and sometimes not, always becomes an object with a `value`. A text that is no JSON object becomes ' +
    'an event with the text in `message` and the tag `_jsonparsefailure`.',
  options: {
    charset: charsetOption,
  },
  examples: [
    {
      title: 'A file of one record',
      config: 'cloudtrail { }',
      decode: {
        text: '{"Records":[{"eventName":"StopInstances","eventTime":"2014-03-06T21:01:59Z","requestParameters":{"disableApiTermination":true}}]}',
        out: [
          {
            eventName: 'StopInstances',
            requestParameters: { disableApiTermination: { value: true } },
          },
        ],
      },
    },
  ],
  create({ options: { charset }, logger }) {
    return decodeText(charset, (text, emit, time) => {
      let records: Value | undefined
      try {
        const file = parseJson(text)
        if (!isFields(file)) throw new TypeError('a log file of CloudTrail is an object')
        records = readField(file, 'Records')
      } catch (error) {
        if (text.trim() === '') return
        const data = text.length > maxLoggedLength ? `${text.slice(0, maxLoggedLength)}...` : text
        logger.error('JSON parse error, original data now in message field', {
          message: (error as Error).message,
          data,
        })
        emit(Event.from({ message: text, tags: ['_jsonparsefailure'] }, time))
        return
      }
      for (const record of Array.isArray(records) ? records : []) {
        if (isFields(record)) emit(Event.from(eventOf(record), time))
      }
    })
  },
})

function eventOf(record: Fields): Fields {
  const time = readField(record, 'eventTime')
  delete record['eventTime']
  if (time !== undefined && time !== null) record['@timestamp'] = time
  const parameters = readField(record, 'requestParameters')
  if (isFields(parameters)) {
    const value = readField(parameters, 'disableApiTermination')
    if (value !== undefined && !isFields(value)) parameters['disableApiTermination'] = { value }
  }
  return record
}

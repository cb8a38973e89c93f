import { describe, expect, it } from 'vitest'
import { inputFor, type TestOptions, validOptions } from '../../plugin/testing.ts'
import { type HubOptions, hubsOf } from './azure-event-hubs/hubs.ts'
import azure from './azure-event-hubs.ts'

const one = 'Endpoint=sb://one.example/;SharedAccessKeyName=n;SharedAccessKey=c2VjcmV0c2VjcmV0'

function hubs(options: TestOptions) {
  return hubsOf(validOptions(azure, options) as unknown as HubOptions)
}

describe('the Event Hubs that options name', () => {
  it('share all settings in basic mode', () => {
    const found = hubs({
      event_hub_connections: [`${one};EntityPath=a`, `${one};EntityPath=b`],
      consumer_group: 'logstash',
      initial_position: 'look_back',
      max_batch_size: 7,
      storage_connection: 'AccountName=x;AccountKey=aaaaaaaaaaaa',
    })
    expect(found).toMatchObject([
      {
        name: 'a',
        consumerGroup: 'logstash',
        storageContainer: 'a',
        maxBatchSize: 7,
        initialPosition: 'look_back',
      },
      {
        name: 'b',
        consumerGroup: 'logstash',
        storageContainer: 'b',
        lookBackSeconds: 86_400,
        decorate: false,
      },
    ])
  })

  it('may have their own in advanced mode', () => {
    const found = hubs({
      config_mode: 'advanced',
      decorate_events: true,
      initial_position: 'end',
      event_hubs: [
        { a: { event_hub_connection: one, initial_position: 'beginning', consumer_group: 'iam_team' } },
        { b: { event_hub_connection: `${one};EntityPath=b`, storage_container: 'c' } },
      ],
    })
    expect(found).toMatchObject([
      {
        name: 'a',
        connection: `${one};EntityPath=a`,
        initialPosition: 'beginning',
        consumerGroup: 'iam_team',
        decorate: true,
      },
      {
        name: 'b',
        connection: `${one};EntityPath=b`,
        initialPosition: 'end',
        consumerGroup: '$Default',
        storageContainer: 'c',
      },
    ])
  })

  it.each<[TestOptions, string]>([
    [{}, 'event_hub_connections is required'],
    [{ event_hub_connections: [one] }, 'contains the EntityPath'],
    [{ event_hub_connections: [`${one};EntityPath=a`], threads: 1 }, 'number of threads'],
    [{ config_mode: 'advanced' }, 'event_hubs is required'],
    [{ config_mode: 'advanced', event_hubs: ['a'] }, 'event_hubs must be a Hash'],
    [{ config_mode: 'advanced', event_hubs: [{ a: {} }] }, 'event_hub_connection is required'],
    [
      { config_mode: 'advanced', event_hubs: [{ a: { event_hub_connection: `${one};EntityPath=b` } }] },
      'does not match',
    ],
    [
      {
        event_hub_connections: [`${one};EntityPath=a`, `${one};EntityPath=b`],
        storage_connection: 'AccountKey=aaaaaaaaaaaa',
        storage_container: 'same',
      },
      'must not share',
    ],
  ])('are refused: %j', (options, message) => {
    expect(() => hubs(options)).toThrow(message)
  })

  it('need a package that the input names', async () => {
    const { instance } = inputFor(azure, { event_hub_connections: [`${one};EntityPath=a`] })
    await expect(instance.register!()).rejects.toThrow('npm install @azure/event-hubs')
  })
})

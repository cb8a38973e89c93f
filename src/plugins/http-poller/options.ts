/** The options of the http_poller input; those of its client are the ones of the http output. */
import { type OptionValues, option } from '../../plugin/define.ts'
import { httpClientOptions } from '../http-client/http-options.ts'

export const httpPollerOptions = {
  urls: option.hash({
    required: true,
    doc: 'What to fetch, by name: a URL, or a hash of `url`, `method`, `headers`, `body`, `query`, `user` and `password`.',
  }),
  schedule: option.hash({
    required: true,
    doc: 'When to fetch: a hash with one of the keys `cron`, `every` (`5s`), `at`, `in`.',
  }),
  target: option.fieldReference({
    doc: 'Field that takes what the codec read, instead of the event itself.',
  }),
  metadata_target: option.string({
    default: '@metadata',
    doc: 'Field that takes facts about request and response; with ECS they are below `[@metadata][input][http_poller]` unless given.',
  }),
  ...httpClientOptions,
  interval: option.number({
    doc: 'Old form of `schedule`.',
    obsolete: 'Use schedule options instead.',
  }),
}

export type HttpPollerOptions = OptionValues<typeof httpPollerOptions>

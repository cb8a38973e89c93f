/** Options of the bulk outputs that contradict each other, in the words of Logstash. */
import { rubyText } from '../../ruby-values/text.ts'
import type { BulkOptions } from './settings.ts'

const actions = ['index', 'delete', 'create', 'update']
const externalVersions: ReadonlySet<string> = new Set(['external', 'external_gt', 'external_gte'])
const successes = [200, 201]
const deadLetters = [400, 404]
const conflict = 409

/** Throws for options with which no event could be stored. */
export function checkBulkOptions(options: BulkOptions): void {
  checkAction(options)
  checkVersions(options)
  checkUpdates(options)
  checkCustomCodes(options.dlq_custom_codes)
  checkCompression(options.compression_level)
}

/** An action with a placeholder is known only when an event is there. */
function checkAction({ action }: BulkOptions): void {
  if (action === '') throw new Error('No action specified!')
  if (action === undefined || /%\{.+\}/.test(action) || actions.includes(action)) return
  throw new Error(
    `Action '${action}' is invalid! Pick one of ${rubyText(actions)} or use a sprintf style statement`,
  )
}

function checkVersions({ action, version, version_type }: BulkOptions): void {
  if (!externalVersions.has(version_type ?? '')) return
  if (version === undefined) throw new Error('External versioning requires the presence of a version number.')
  if (action === 'create') throw new Error('External versioning is not supported by the create action.')
  if (action === 'update') {
    const page = 'https://www.elastic.co/guide/en/elasticsearch/reference/current/docs-update.html'
    throw new Error(`External versioning is not supported by the update action. See ${page}.`)
  }
}

function checkUpdates({ action, document_id, doc_as_upsert, scripted_upsert }: BulkOptions): void {
  if (doc_as_upsert && scripted_upsert)
    throw new Error('doc_as_upsert and scripted_upsert are mutually exclusive.')
  if (action === 'update' && (document_id ?? '') === '')
    throw new Error("Specifying action => 'update' needs a document_id.")
}

const compressionLevels = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

function checkCompression(level: number | undefined): void {
  if (level === undefined || compressionLevels.includes(level)) return
  throw new Error(`compression_level: Expected one of ${rubyText(compressionLevels)}, got [${level}]`)
}

function checkCustomCodes(codes: BulkOptions['dlq_custom_codes']): void {
  const refuse = (statuses: readonly number[], why: string) => {
    const found = codes.filter((code) => statuses.includes(code))
    if (found.length > 0) throw new Error(`${rubyText(found)} are ${why}`)
  }
  refuse(deadLetters, 'already defined as standard DLQ error codes')
  refuse(successes, 'success codes which cannot be redefined in dlq_custom_codes')
  refuse([conflict], 'error codes already defined as conflict which cannot be redefined in dlq_custom_codes')
}

/** Processors that decide what happens to a document: drop, fail, pipeline, script. */
import { isObject, type JsonObject, own } from '../../request/json-object.ts'
import { SearchError } from '../../request/search-error.ts'
import { mapFrom, toJson } from '../../script/json-values.ts'
import { compileScript, guarded, readScript, type StoredScripts } from '../../script/script.ts'
import type { ScriptValue } from '../../script/values.ts'
import type { Fields } from '../ingest-document.ts'
import { compileTemplate } from '../ingest-template.ts'
import type { ProcessorFactory } from '../processor.ts'

const drop: ProcessorFactory = () => () => false

const fail: ProcessorFactory = (config) => {
  const message = compileTemplate(config.text('message'))
  return (document) => {
    throw new SearchError('fail_processor_exception', message(document), { status: 500 })
  }
}

const pipeline: ProcessorFactory = (config, { isOpenSearch }) => {
  const name = compileTemplate(config.text('name'))
  const mayMiss = isOpenSearch ? false : config.flag('ignore_missing_pipeline')
  return { kind: 'pipeline', name, mayMiss }
}

const script: ProcessorFactory = (config, { scripts }) => {
  const json = config.takeRest()
  const isStored = own(json, 'id') !== undefined
  // A stored script may be stored after the pipeline.
  const compiled = isStored ? undefined : compiledScript(json, scripts)
  return (document) => {
    const { run, script: read } = compiled ?? compiledScript(json, scripts)
    const ctx = mapFrom(document.root)
    run(
      new Map<string, ScriptValue>([
        ['ctx', ctx],
        ['params', mapFrom(toJson(read.params) as object)],
      ]),
    )
    const root = guarded(read, () => toJson(ctx))
    if (isObject(root)) document.root = root as Fields
    return true
  }
}

function compiledScript(json: JsonObject, scripts: () => StoredScripts) {
  const read = readScript(json, scripts())
  return { script: read, run: compileScript(read, ['ctx', 'params']) }
}

export const controlProcessors: Readonly<Record<string, ProcessorFactory>> = { drop, fail, pipeline, script }

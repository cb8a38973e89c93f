/** The settings of an index that its mapping depends on: analyzers and limits. */
import { Analysis } from '../../analysis/analysis.ts'
import type { CompileExpression } from '../../analysis/component.ts'
import { mappingSettings } from '../../mapping/mapping.ts'
import { isObject, own } from '../../request/json-object.ts'
import { nestedSettings } from '../admin/index-settings.ts'
import { type IndexMetadata, settingOf } from '../index-metadata.ts'

export function mappingSettingsOf(
  metadata: IndexMetadata,
  compile: CompileExpression | undefined,
  isOpenSearch = false,
) {
  const number = (name: string, standard: number) => Number(settingOf(metadata, name) ?? standard)
  const index = nestedSettings(metadata.settings)['index']
  const analysis = new Analysis({
    analysis: isObject(index) ? own(index, 'analysis') : undefined,
    maxNgramDiff: number('index.max_ngram_diff', 1),
    maxShingleDiff: number('index.max_shingle_diff', 3),
    ...(compile !== undefined && { compile }),
  })
  return mappingSettings({
    analysis,
    totalFieldsLimit: number('index.mapping.total_fields.limit', 1000),
    depthLimit: number('index.mapping.depth.limit', 20),
    nestedFieldsLimit: number('index.mapping.nested_fields.limit', 50),
    nestedObjectsLimit: number('index.mapping.nested_objects.limit', 10_000),
    fieldNameLengthLimit: number('index.mapping.field_name_length.limit', Number.POSITIVE_INFINITY),
    ignoreMalformed: settingOf(metadata, 'index.mapping.ignore_malformed') === 'true',
    coerce: settingOf(metadata, 'index.mapping.coerce') !== 'false',
    compile,
    ...(number('index.routing_partition_size', 1) > 1 && { partitionedIndex: metadata.name }),
    printsDatesByFirstFormat: isOpenSearch,
  })
}

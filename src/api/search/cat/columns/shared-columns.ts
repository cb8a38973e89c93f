/** Columns that two or all of nodes, shards and indices have alike. */
export const segmentColumns = `segments.count|sc,segmentsCount|number of segments|-n
segments.memory|sm,segmentsMemory|memory used by segments|-b
segments.index_writer_memory|siwm,segmentsIndexWriterMemory|memory used by index writer|-b
segments.version_map_memory|svmm,segmentsVersionMapMemory|memory used by version map|-b
segments.fixed_bitset_memory|sfbm,fixedBitsetMemory|memory used by fixed bit sets for nested object field types and type filters for types referred in _parent fields|-b`

export const warmerColumns = `warmer.current|wc,warmerCurrent|current warmer ops|-n
warmer.total|wto,warmerTotal|total warmer ops|-n
warmer.total_time|wtt,warmerTotalTime|time spent in warmers|-t`

export const suggestColumns = `suggest.current|suc,suggestCurrent|number of current suggest ops|-n
suggest.time|suti,suggestTime|time spend in suggest|-t
suggest.total|suto,suggestTotal|number of suggest ops|-n`

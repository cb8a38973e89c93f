/**
 * Trains the dictionary of a segment on a sample of its sources, or takes one that was trained for a segment before and still
 * fits. Sources that DEFLATE compresses better by more than a little, because neighbours are alike or texts are long,
 * get none.
 */

import { compressBlock } from '../stored-blocks.ts'
import { contextCount, contextOf, firstContext } from './contexts.ts'
import { dictionaryContent } from './dictionary-content.ts'
import { codeLengths } from './prefix-code.ts'
import { RecordEncoder, recordRoom } from './record-encoder.ts'
import { RecordMatcher, wordsPerSequence } from './record-matcher.ts'
import {
  dictionaryBytes,
  endSymbol,
  escapeSymbol,
  lengthSymbols,
  maxCodeBits,
  maxRecordBytes,
  positionCount,
  rawPositionBits,
  symbolCount,
} from './symbols.ts'

/** Fewer bytes of sources are not worth a dictionary. */
export const minTrainedBytes = 1024 * 1024
/** How much larger than with DEFLATE sources may become, for being readable one by one. */
const maxLoss = 1.03
/** How much worse than when it was trained a dictionary may have become. */
const maxAging = 1.02
/** A sample: single sources from everywhere, and a few runs of neighbours to compare with DEFLATE. */
const sampled = { spreadBytes: 160 * 1024, runBytes: 12 * 1024, runs: 8 }
/** The weight of a symbol that the sample does not have. */
const unseen = 0.25
/** Encoders of one thread, by the kind of sources they were trained on. */
const maxEncoders = 8

interface SourceSample {
  /** Sources from all over the segment, for the content. */
  readonly spread: readonly Uint8Array[]
  /** Neighbours from a few places, for the codes and for comparing with DEFLATE. */
  readonly runs: readonly (readonly Uint8Array[])[]
}

/** `source` returns one of `count` sources, or undefined when it is not to be taken into account. */
export function sampleOf(
  count: number,
  totalBytes: number,
  source: (place: number) => Uint8Array | undefined,
): SourceSample {
  const spread: Uint8Array[] = []
  const step = Math.max(1, totalBytes / sampled.spreadBytes)
  let room = sampled.spreadBytes
  for (let place = 0; place < count && room > 0; place += step) {
    const bytes = source(Math.floor(place))
    if (bytes === undefined || bytes.length > maxRecordBytes) continue
    spread.push(bytes)
    room -= bytes.length
  }
  const runs = Array.from({ length: sampled.runs }, (_, i) => {
    const run: Uint8Array[] = []
    let place = Math.floor((count * i) / sampled.runs)
    for (let left = sampled.runBytes; place < count && left > 0; place++) {
      const bytes = source(place)
      if (bytes === undefined || bytes.length > maxRecordBytes) continue
      run.push(bytes)
      left -= bytes.length
    }
    return run
  })
  return { spread, runs }
}

interface Trained {
  readonly encoder: RecordEncoder
  /** The size of the runs of its sample, divided by that with DEFLATE. */
  readonly share: number
}

const trainedBefore = new Map<string, Trained>()

/** `kind` is equal for sources that are probably alike. */
export function trainedEncoder(kind: string, sample: SourceSample): RecordEncoder | undefined {
  const deflated = sample.runs.reduce((sum, run) => sum + compressBlock(Buffer.concat(run)).length, 0)
  if (deflated === 0) return undefined
  const known = trainedBefore.get(kind)
  trainedBefore.delete(kind)
  let trained = known
  if (known === undefined || recordBytes(known.encoder, sample) > known.share * maxAging * deflated) {
    const encoder = train(sample)
    trained = { encoder, share: recordBytes(encoder, sample) / deflated }
  }
  trainedBefore.set(kind, trained!)
  for (const [oldest] of trainedBefore) if (trainedBefore.size > maxEncoders) trainedBefore.delete(oldest)
  return trained!.share > maxLoss ? undefined : trained!.encoder
}

function train({ spread, runs }: SourceSample): RecordEncoder {
  const content = dictionaryContent(spread)
  const matcher = new RecordMatcher(content)
  const symbols = Array.from({ length: contextCount }, () =>
    new Float64Array(symbolCount).fill(unseen, endSymbol),
  )
  const positions = new Float64Array(positionCount).fill(unseen)
  for (const source of runs.flat()) countSymbols(matcher, source, symbols, positions)
  for (const frequencies of symbols) frequencies[escapeSymbol]! += 1
  return new RecordEncoder({
    content,
    symbolLengths: symbols.map((frequencies) => codeLengths(frequencies, maxCodeBits)),
    positionLengths: codeLengths(positions, maxCodeBits),
  })
}

function countSymbols(
  matcher: RecordMatcher,
  source: Uint8Array,
  symbols: readonly Float64Array[],
  positions: Float64Array,
): void {
  const count = matcher.match(source)
  const { sequences, window } = matcher
  let context = firstContext
  let next = dictionaryBytes
  for (let i = 0; i < count; i += wordsPerSequence) {
    for (const end = next + sequences[i]!; next < end; next++) {
      symbols[context]![window[next]!]!++
      context = contextOf[window[next]!]!
    }
    const length = sequences[i + 1]!
    if (length === 0) break
    symbols[context]![lengthSymbols[length]!]!++
    positions[sequences[i + 2]! >> rawPositionBits]!++
    next += length
    context = contextOf[window[next - 1]!]!
  }
  symbols[context]![endSymbol]!++
}

function recordBytes(encoder: RecordEncoder, { runs }: SourceSample): number {
  const target = new DataView(new ArrayBuffer(recordRoom(maxRecordBytes)))
  let bytes = 0
  for (const source of runs.flat()) bytes += encoder.encode(source, target, 0)
  return bytes
}

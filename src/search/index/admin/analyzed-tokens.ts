/** The tokens of a list of texts as `_analyze` shows them, behind an analyzer or behind each component of a chain. */
import type { Analyzer, ChainAnalyzer } from '../../analysis/analyzer.ts'
import { chunkEnd } from '../../analysis/text-chunks.ts'
import { TokenBuffer, TooManyTokens, tokenTypes } from '../../analysis/token-buffer.ts'
import type { AnswerBytes } from '../../answer/answer-memory.ts'
import { illegalArgument } from '../../request/errors.ts'
import type { JsonObject } from '../../request/json-object.ts'
import { inRanges } from '../../scheduling/step-size.ts'
import type { Steps } from '../../scheduling/steps.ts'

/**
 * Tokens before the filters, as a multiple of those that may be left: filters may drop most of them, but a filter does
 * not yield, so a text of megabytes is refused before all its tokens are made.
 */
const maxTokensFactor = 32

/** Adds attributes to a token. */
export type Decorate = (token: JsonObject, buffer: TokenBuffer, index: number) => JsonObject

export interface ShownTokens {
  readonly maxTokens: number
  /** The positions between two texts. */
  readonly gap: number
  readonly answer: AnswerBytes
}

/** The tokens behind one component, of all texts one after the other. */
class TokenList {
  readonly tokens: JsonObject[] = []
  readonly #shown: ShownTokens
  readonly #decorate: Decorate
  #position = 0

  constructor(shown: ShownTokens, decorate: Decorate) {
    this.#shown = shown
    this.#decorate = decorate
  }

  /** Adds the tokens of a text, or of a part of it, that begins at `offset`. */
  *add(buffer: TokenBuffer, offset: number): Steps<void> {
    const { maxTokens, answer } = this.#shown
    if (this.tokens.length + buffer.length > maxTokens) throw tooMany(maxTokens)
    yield* inRanges(buffer.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const shown = this.#decorate(this.#token(buffer, i, offset), buffer, i)
        answer.addValue(shown)
        this.tokens.push(shown)
      }
    })
    this.#position += buffer.endPosition
  }

  endText(): void {
    this.#position += this.#shown.gap
  }

  #token(buffer: TokenBuffer, index: number, offset: number): JsonObject {
    const span = buffer.spans[index]!
    return {
      token: buffer.terms[index],
      start_offset: offset + buffer.starts[index]!,
      end_offset: offset + buffer.ends[index]!,
      type: tokenTypes[buffer.types[index]!],
      position: this.#position + buffer.positions[index]!,
      ...(span > 1 && { positionLength: span }),
    }
  }
}

/** Analyses chunk by chunk, so that a text with too many tokens is refused early. */
export function* tokensOf(
  analyzer: Analyzer,
  texts: readonly string[],
  shown: ShownTokens,
  decorate: Decorate = (token) => token,
): Steps<JsonObject[]> {
  const list = new TokenList(shown, decorate)
  const buffer = bufferFor(shown)
  let offset = 0
  for (const text of texts) {
    let from = 0
    do {
      const to = chunkEnd(analyzer, text, from)
      limited(shown, () => analyzer.analyze(text.slice(from, to), buffer))
      yield* list.add(buffer, offset + from)
      from = to
    } while (from < text.length)
    offset += text.length + 1
    list.endText()
  }
  return list.tokens
}

/**
 * Analyses with a chain that nobody else uses, and returns the tokens behind its tokenizer and behind each filter; one
 * `decorate` for each of them.
 */
export function* tokensInStages(
  chain: ChainAnalyzer,
  texts: readonly string[],
  shown: ShownTokens,
  decorates: readonly Decorate[],
): Steps<JsonObject[][]> {
  const lists = decorates.map((decorate) => new TokenList(shown, decorate))
  const buffer = bufferFor(shown)
  let offset = 0
  for (const text of texts) {
    const stages = chain.analyzeInStages(text, buffer)
    for (const list of lists) {
      limited(shown, () => stages.next())
      yield* list.add(buffer, offset)
      list.endText()
      yield
    }
    offset += text.length + 1
  }
  return lists.map(({ tokens }) => tokens)
}

function bufferFor({ maxTokens }: ShownTokens): TokenBuffer {
  return new TokenBuffer(maxTokens * maxTokensFactor)
}

function limited({ maxTokens }: ShownTokens, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw error instanceof TooManyTokens ? tooMany(maxTokens) : error
  }
}

function tooMany(maxTokens: number): Error {
  return illegalArgument(
    `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${maxTokens}]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.`,
  )
}

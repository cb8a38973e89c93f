/**
 * The `rewrite` option of multi-term queries: `constant_score` gives all matches one score; `scoring_boolean`
 * and `top_terms_N` make one clause per term.
 */
import { illegalArgument } from '../../../request/errors.ts'

export interface Rewrite {
  readonly kind: 'constant' | 'scoring' | 'boost' | 'blended'
  /** The maximum number of terms. */
  readonly limit: number
}

const maxTerms = 1024

export function parseRewrite(text: string | undefined): Rewrite | undefined {
  switch (text) {
    case undefined:
      return undefined
    case 'constant_score':
    case 'constant_score_auto':
    case 'constant_score_filter':
    case 'constant_score_blended':
      return { kind: 'constant', limit: Number.POSITIVE_INFINITY }
    case 'constant_score_boolean':
      return { kind: 'boost', limit: maxTerms }
    case 'scoring_boolean':
      return { kind: 'scoring', limit: maxTerms }
  }
  const match = /^(top_terms_boost_|top_terms_blended_freqs_|top_terms_)(\d{1,9})$/.exec(text)
  if (match === null) throw illegalArgument(`Failed to parse rewrite_method [${text}]`)
  const limit = Number(match[2])
  if (match[1] === 'top_terms_boost_') return { kind: 'boost', limit }
  return { kind: match[1] === 'top_terms_' ? 'scoring' : 'blended', limit }
}

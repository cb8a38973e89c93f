/**
 * The filter `hindi_normalization`, after Larkey, Connell and Abduljaleel, "Hindi CLIR in thirty days": spellings that
 * writers mix up become one. Long vowels become short; nuktas, viramas and joiners go. Words marked as keywords stay.
 */
import type { TokenFilter } from '../../component.ts'
import { stemming } from '../../filters/term-filters.ts'

/** Code points, and the one each of them becomes. */
export function letterTable(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [from = '', to = ''] = line.trim().split(' > ')
        return from.split(' ').map((code): [string, string] => [letter(code), to === '' ? '' : letter(to)])
      }),
  )
}

function letter(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}

const letters = letterTable(`
  0901 > 0902
  0906 0972 > 0905
  0908 > 0907
  090a > 0909
  090d 090e 0910 > 090f
  0911 0912 0914 > 0913
  0929 > 0928
  0931 > 0930
  0934 > 0933
  0940 > 093f
  0942 > 0941
  0944 > 0943
  0945 0946 0948 > 0947
  0949 094a 094c > 094b
  0958 > 0915
  0959 > 0916
  095a > 0917
  095b > 091c
  095c > 0921
  095d > 0922
  095e > 092b
  095f > 092f
  0960 > 090b
  0961 > 090c
  0963 > 0962
  093c 094d 200c 200d
`)

/** A dead `n` is written as a dot above; other letters change one by one. */
function normalized(term: string): string {
  return term.replace(/\u0928\u094d|[\u0900-\u097f\u200c\u200d]/g, (part) =>
    part.length === 2 ? '\u0902' : (letters.get(part) ?? part),
  )
}

export const hindiNormalization: TokenFilter = { ...stemming(normalized), normalize: normalized }

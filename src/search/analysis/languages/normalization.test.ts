/** Words of several scripts and what the filters of Lucene 10.5 make of them. */
import { describe, expect, it } from 'vitest'
import { Analysis } from '../analysis.ts'
import { TokenBuffer } from '../token-buffer.ts'

const analysis = new Analysis()
const buffer = new TokenBuffer()

const tables: readonly (readonly [name: string, filter: string | Record<string, unknown>, words: string])[] =
  [
    [
      'persian_normalization',
      'persian_normalization',
      `
      کتابی>كتابي هاى>هاى یک>يك ے>ي خانهٔ>خانه کی>كي هۀ>هه گہ>گه
    `,
    ],
    [
      'sorani_normalization',
      'sorani_normalization',
      `
      كوردستان>کوردستان علي>علی راست>ڕاست برا>برا ئةم>ئەم نووسەرە>نووسەرە هەموو>هەموو به>بە ماڵه>ماڵە
      بەڕێوەبردن>بەڕێوەبردن ھەڵۆ>هەڵۆ رێگا>ڕێگا به\u200cزار>بەزار هـ>ه
    `,
    ],
    [
      'hindi_normalization',
      'hindi_normalization',
      `
      हिंदी>हिंदि हिन्दी>हिंदि अँगरेज़ी>अंगरेजि अंगरेजी>अंगरेजि फ़िल्म>फिलम क़िताब>किताब आईऊऐऔ>अइउएओ टाइप>टाइप
      ऑफिस>ओफिस लड़की>लडकि बुढ़ापा>बुढापा विशेष>विशेष कर्त्ता>करतता
    `,
    ],
    [
      'bengali_normalization',
      'bengali_normalization',
      `
      চাঁদ>চাদ বাংলা>বাংলা বাঙলা>বাংলা বাড়ী>বাড়ি নূতন>নুতন শাসক>সাসক বিষয়>বিসয় প্রাণ>প্রান হঠাৎ>হঠাত
      ব্যাকরণ>বেকরন কন্যা>কনা স্বপ্ন>সপ্ন বিশ্ব>বিসস দুঃখ>দুখখ বাঃ>বাহ অন্তঃ>অন্ত উচ্ছ্বাস>উচ্ছাস ক্িত>খত
      পক্ি>পকখ আষাঢ়>আসাঢ়
    `,
    ],
    [
      'indic_normalization',
      'indic_normalization',
      `
      अाइ>आइ क़लम>क़लम কত্\u200d>কৎ ੲਿਦ>ਇਦ ஔ>ஔ వుు>ము ೋ>ೋ ന്\u200d>ൻ અાૈ>ઔ ଅା>ଆ ऩ>ऩ अা>अা
    `,
    ],
    [
      'serbian_normalization',
      'serbian_normalization',
      `
      абвгдђежзијклљмнњопрстћуфхцчџш>abvgddjezzijklljmnnjoprstcufhccdzs čćđšž>ccdjsz ђак>djak љубав>ljubav Њ>Њ
      čaša>casa ћуприја>cuprija
    `,
    ],
    [
      'scandinavian_folding',
      'scandinavian_folding',
      `
      blåbærsyltetøj>blabarsyltetoj blaabaarsyltetoej>blabarsyltetoj räksmörgås>raksmorgas
      raeksmoergaas>raksmorgas BLAABAERSYLTETOEJ>BLABARSYLTETOJ aeo>ao ooo>oo AaA>AA
    `,
    ],
    [
      'scandinavian_normalization',
      'scandinavian_normalization',
      `
      blåbærsyltetøj>blåbærsyltetøj blaabaersyltetøj>blåbærsyltetøj räksmörgås>ræksmørgås
      raeksmörgaas>ræksmørgås ØEoo>ØEø aaa>åa AaA>ÅA aeo>æo
    `,
    ],
  ]

describe.each(tables)('the filter %s', (_name, filter, words) => {
  const analyzer = analysis.custom('keyword', [filter])
  it.each(
    words
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('>')),
  )('makes of %s %s', (word, stem) => {
    analyzer.analyze(word!, buffer)
    expect(buffer.terms.slice(0, buffer.length)).toEqual([stem])
  })
})

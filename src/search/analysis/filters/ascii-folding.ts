/**
 * Folds letters, digits and symbols beyond ASCII to their nearest ASCII (Lucene's ASCIIFoldingFilter). Most follow
 * from Unicode's decompositions (accents, wide and circled forms); the table holds the rest.
 */

/** Replacement, then the characters it stands for. */
const table = `
A ᴀⱯ|a ɐɑəᶏᶐᶕⱥₐₔ|AA Ꜳ|AE ÆǢǼᴁ|AO Ꜵ|AU Ꜷ|AV ꜸꜺ|AY Ꜽ|aa ꜳ|ae æǣǽᴂ|ao ꜵ|au ꜷ|av ꜹꜻ|ay ꜽ
B ƁƂɃʙᴃ|b ƀƃɓᵬᶀ|C ƇȻʗᴄ|c ƈȼɕↄꜾꜿ|D ÐĐƉƊƋᴅᴆꝹ|d ðđƌȡɖɗᵭᶁᶑꝺ|DZ ǄǱ|Dz ǅǲ|db ȸ|dz ǆǳʣʥ
E ƎƏƐɆᴇⱻ|e ǝɇɘɛɜɝɞʚᴈᶒᶓᶔⱸ|F ƑꜰꝻ|f ƒᵮᶂꝼ|G ƓǤɢʛꝽꝾ|g ǥɠɡᵷᵹᶃꝿ|H ĦȞʜⱧⱵ|h ħɥɦʮʯⱨⱶ|HV Ƕ|hv ƕ
I ƖƗɪᵻꟾ|i ıɨɩᴉᵢᵼᶖ|IJ Ĳ|ij ĳ|J Ɉᴊ|j ɉȷɟʄʝ|K ƘᴋⱩꝀꝂꝄ|k ƙʞᶄⱪꝁꝃꝅ|L ŁȽʟᴌⱠⱢꝆꝈꞀ|l łƚȴɫɬɭᶅⱡꝇꝉꞁ|LJ Ǉ|Lj ǈ|lj ǉ|ls ʪ|lz ʫ
M Ɯᴍꟽꟿ|m ɯɰɱᵯᶆ|N ŊƝȠɴᴎ|n ŋƞȵɲɳᵰᶇ|NJ Ǌ|Nj ǋ|nj ǌ|O ØƆƟᴏᴐǾꝊꝌ|o øɔɵᴖᴗᶗⱺꝋꝍǿ|OE Œɶ|oe œᴔ|OO Ꝏ|oo ꝏ|OU Ȣᴕ|ou ȣ
P ƤᴘⱣꝐꝒꝔ|p ƥᵱᵽᶈꝑꝓꝕꟼ|Q ɊꝖꝘ|q ĸɋʠꝗꝙ|qp ȹ|R ɌʀʁᴙᴚⱤꝚꞂ|r ɍɼɽɾɿᵲᵳᶉꝛꞃ|S ꜱꞅ|s ſȿʂᵴᶊꞄẜẝ|SS ẞ|ss ß
T ŦƬƮȾᴛꞆ|t ŧƫƭȶʇʈᵵⱦ|TH ÞꝦ|th þᵺꝧ|tc ʨ|ts ʦ|TZ Ꜩ|tz ꜩ|U Ʉᴜᵾ|u ʉᵤᶙ|ue ᵫ|V ƲɅᴠꝞꝨ|v ʋʌᵥᶌⱱⱴꝟ|VY Ꝡ|vy ꝡ
W Ƿᴡⱳ|w ƿʍⱲ|x ᶍ|Y ƳɎʏỾ|y ƴɏʎỿ|Z ƵȤᴢⱫ|z ƶȥɀʐʑᵶᶎⱬ
" «»“”„″‶❝❞❮❯|' ‘’‚‛‹›′‵❛❜|- ‐‑‒–—⁻₋|! ❗|!! ‼|!? ⁉|?! ⁈|?? ⁇|% ⁒|* ⁎|; ⁏|/ ⁄|~ ⁓|^ ‸|[ ⁅❲|] ⁆❳|( ❨❪|) ❩❫|< ❬❰|> ❭❱|{ ❴|} ❵
0 ⓿|1 ❶➀➊⓵|2 ❷➁➋⓶|3 ❸➂➌⓷|4 ❹➃➍⓸|5 ❺➄➎⓹|6 ❻➅➏⓺|7 ❼➆➐⓻|8 ❽➇➑⓼|9 ❾➈➒⓽|10 ❿➉➓⓾|11 ⓫|12 ⓬|13 ⓭|14 ⓮|15 ⓯|16 ⓰|17 ⓱|18 ⓲|19 ⓳|20 ⓴`

const folds = new Map<string, string>()
for (const item of table.trim().split(/[|\n]/)) {
  const [ascii = '', characters = ''] = item.split(' ')
  for (const character of characters) folds.set(character, ascii)
}

/** The ranges whose decompositions are used: Latin letters, sub- and superscripts, enclosed and wide forms. */
const decomposed =
  /^[\u00b2\u00b3\u00b9\u00c0-\u024f\u1d2c-\u1dbf\u1e00-\u1eff\u2070-\u209c\u2460-\u24ea\ufb00-\ufb06\uff01-\uff5e]$/

function fold(character: string): string {
  const known = folds.get(character)
  if (known !== undefined) return known
  let result = character
  if (decomposed.test(character)) {
    const bare = character
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^\0-\x7f]/g, (one) => folds.get(one) ?? one)
    if (/^[\0-\x7f]+$/.test(bare)) result = bare
  }
  // The characters above are a few thousand; others are not cached.
  if (result !== character) folds.set(character, result)
  return result
}

export function foldToAscii(text: string): string {
  return /[^\0-\x7f]/.test(text) ? text.replace(/[^\0-\x7f]/gu, fold) : text
}

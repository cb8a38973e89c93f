/** The Snowball stemmer of Lithuanian as Lucene 10 has it. Words come in lower case. */
import { Endings, regionAfter, withEnding } from '../regions.ts'

const vowels = /[aeiouyąęįųėū]/

/** Endings that look like those of other words, and what takes their place. */
const conflicts = new Endings(
  ['aite aitės', 'aitė'],
  ['uote uotės', 'uotė'],
  ['ėjime', 'ėjimas'],
  ['esiu', 'esys'],
  ['asius', 'asys'],
  ['avime', 'avimas'],
  ['ojime', 'ojimas'],
  ['okate okatės', 'okatė'],
)
const inflections = new Endings([
  `a ia eria osna iosna uosna iuosna ysna ėsna e ie enie erie oje ioje uje iuje yje enyje eryje ėje ame iame
     sime ome ėme tumėme ose iose uose iuose yse enyse eryse ėse ate iate ite kite site ote tute ėte tumėte i ai
     iai eriai ei tumei ki imi erimi umi iumi si asi iasi esi iesi siesi isi aisi eisi tumeisi uisi osi ėjosi
     uosi iuosi siuosi usi ausi čiausi ąsi ėsi ųsi tųsi ti enti inti oti ioti uoti iuoti auti iauti yti ėti
     telėti inėti terėti ui iui eniui oj ėj k am iam iem im sim om tum ėm tumėm an on ion un iun ėn o io enio
     ėjo uo s as ias es ies is ais iais tumeis imis enimis omis iomis umis ėmis enis asis ysis ams iams iems ims
     enims erims oms ioms ums ėms ens os ios uos iuos ers us aus iaus ius ys enys erys ąs iąs ės amės iamės imės
     kimės simės omės ėmės tumėmės atės iatės sitės otės ėtės tumėtės įs ūs tųs at iat it sit ot ėt tumėt u au
     iau čiau iu eniu siu y ą ią ė ę į enį erį ų ių erų`,
  '',
])
const suffixes = new Endings([
  `ing aj iaj iej oj ioj uoj iuoj auj ąj iąj ėj ųj iųj ok iok iuk uliuk učiuk išk iul yl ėl am dam jam zgan
     ain esn op iop ias ies ais iais os ios uos iuos aus iaus ąs iąs ęs utėait ant iant siant int ot uot iuot yt
     ėt ykšt iau dav sv šv ykšč ę ėję`,
  '',
])
const palatals = new Endings(['č', 't'], ['dž', 'd'])

/** An initial `a` of a long word may be a prefix. */
function regionOf(word: string): number {
  return regionAfter(word, vowels, word.startsWith('a') && word.length > 6 ? 1 : 0)
}

function replaced(word: string, endings: Endings): string {
  const ending = endings.of(word)
  return ending === undefined ? word : withEnding(word, ending, endings.note(ending))
}

function withoutSuffixes(given: string, region: number): string {
  let word = given
  for (;;) {
    const suffix = suffixes.of(word, region)
    if (suffix === undefined) return word
    word = withEnding(word, suffix)
  }
}

export function lithuanian(given: string): string {
  const region = regionOf(given)
  let word = replaced(given, conflicts)
  word = withEnding(word, inflections.of(word, region) ?? '')
  word = replaced(withoutSuffixes(replaced(word, palatals), region), palatals)
  return word.endsWith('gd') ? word.slice(0, -1) : word
}

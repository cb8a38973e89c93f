/** The Snowball stemmer of Basque. Words come in lower case. */
import { verbRegion } from '../romance-regions.ts'
import { EndingStep, type Regions, regionsOf } from './ending-step.ts'

const vowels = /[aeiou]/

const verbs = new EndingStep(
  [
    `idea bidea kidea pidea kundea galea tailea tzailea gunea kunea tzaga gaia aldia taldia karia karria ka
     tzaka la mena pena kina ezina tezina kuna tuna kizuna era bera kera pera orra korra dura gura kura tura eta
     keta gailua eza erreza gaitza kaitza kuntza ide bide kide pide kunde tzake tzeke le gale taile tzaile gune
     kune tze atze gai aldi taldi ki ari kari lari tari etari karri arazi tarazi an ean rean kan etan men pen
     kin rekin ezin tezin tun kizun go ago tio dako or kor tzat du gailu tu atu aldatu tatu ez errez tzez gaitz
     kaitz`,
    'verb',
    '',
  ],
  ['garri garria tza', 'second', ''],
  ['atseden', 'whole', 'atseden'],
  ['arabera', 'whole', 'arabera'],
  ['baditu', 'whole', 'baditu'],
)
const nouns = new EndingStep(
  [
    `ada kada anda denda gabea kabea aldea kaldea taldea ordea zalea tzalea gilea emea kumea nea enea zionea
     unea gunea pea aurrea tea kotea artea ostea etxea ga anga gaia aldia taldia handia mendia geia egia degia
     tegia nahia ohia kia tokia oia koia aria karia laria taria eria keria teria larria kirria duria asia tia
     ezia bizia ontzia ka ska xka zka gibela gela kaila skila tila ola na kana ena garrena gerrena urrena zaina
     tzaina kina mina garna una duna asuna tasuna ondoa kondoa ngoa zioa koa takoa zkoa noa zinoa aroa taroa
     zaroa eroa oroa osoa toa ttoa ztoa txoa tzoa ñoa ra ara dara liara tiara tara etara tzara bera kera pera
     tzarra korra tra sa osa ta eta keta sta dua mendua ordua lekua burua durua tsua tua mentua estua txua zua
     tzua za eza eroza koitza antza gintza kintza kuntza gabe kabe kide alde kalde talde orde ge zale tzale gile
     eme kume ne zione une gune pe aurre te kote arte oste etxe gai di aldi taldi handi mendi gei egi degi tegi
     nahi ohi ki toki oi goi koi ari kari lari tari larri kirri duri asi ti ontzi ñi ak ek tarik gibel ail kail
     kan tan etan garren gerren urren zain tzain kin min dun asun tasun aizun ondo kondo go ngo zio ko tako
     etako eko tariko sko tuko zko no zino ro aro taro zaro ero giro oro oso to tto zto txo tzo gintzo ño zp ar
     dar behar liar tiar tar tzar kor os ket du mendu ordu leku duru tsu tu mentu estu txu zu tzu gintzu z ez
     eroz tz koitz`,
    'verb',
    '',
  ],
  ['ora garri garria or buru ren tza', 'second', ''],
  ['joka', 'whole', 'jok'],
  ['tzen ten en tatu', 'first', ''],
  ['trako', 'whole', 'tra'],
  ['minutuko', 'whole', 'minutu'],
  ['zehar', 'whole', 'zehar'],
  ['geldi', 'whole', 'geldi'],
  ['igaro', 'whole', 'igaro'],
  ['aurka', 'whole', 'aurka'],
)
const adjectives = new EndingStep(
  ['keria la era dade tade date tate gi ki ik lanik rik larik ztik go ro ero to', 'verb', ''],
  ['zlea', 'whole', 'z'],
)

/** A word up to where the next step looks for endings, and what is behind that. */
type Cut = readonly [front: string, rest: string]

/** Applies a step once; what takes the place of an ending is not looked at again. */
function once([front, rest]: Cut, step: EndingStep, regions: Regions): Cut | undefined {
  const found = step.match(front, regions)
  return found && [front.slice(0, front.length - found[0].length), found[1] + rest]
}

function repeated(given: Cut, step: EndingStep, regions: Regions): Cut {
  let cut = given
  for (;;) {
    const next = once(cut, step, regions)
    if (next === undefined) return cut
    cut = next
  }
}

export function basque(word: string): string {
  const regions = regionsOf(word, vowels, verbRegion(word, vowels))
  const cut = repeated(repeated([word, ''], verbs, regions), nouns, regions)
  return (once(cut, adjectives, regions) ?? cut).join('')
}

/**
 * The shorter stemmers of Lucene. The Norwegian words are of the lists that Lucene tests its own with; for the others
 * each word shows one line of the rules that Lucene documents, worked out by hand.
 */
import { describe, expect, it } from 'vitest'
import { Analysis } from '../analysis.ts'
import { TokenBuffer } from '../token-buffer.ts'

const analysis = new Analysis()
const buffer = new TokenBuffer()

function stemOf(language: string, word: string): string {
  analysis.custom('keyword', [{ type: 'stemmer', language }]).analyze(word, buffer)
  return buffer.terms.slice(0, buffer.length).join(' ')
}

const pairs = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('>'))

describe('short stemmers', () => {
  it.each(
    pairs(`
      bil>bil bilen>bil biler>bil bilenes>bil sekretæren>sekretær kakenes>kak bibliotekarer>bibliotekar
      bibliotekarenes>bibliotekar veska>vesk veskas>vesk husets>hus husenes>hus flagga>flagg
      politienes>politi godhet>god godheten>god forelskelse>forelsk forelsket>forelsk forelskelsen>forelsk
      kristen>krist kristendom>kristen kristendommens>kristendomm hemmelighets>hemmelig
      hemmeligheter>hemmelig hemmelighetens>hemmelig forlegenheten>forlegen billigere>billig billigst>billig
      friskest>frisk sykere>syk vafler>vafl kammene>kamm kuer>kuer kuene>kuen datter>datt døtrene>døtr
      abc>abc 123>123 bedre>bedr best>best føle>føl følte>føl følt>følt
    `),
  )('light_norwegian stems %s to %s', (word, stem) => {
    expect(stemOf('light_norwegian', word!)).toBe(stem)
  })

  it.each(
    pairs(`
      bil>bil bilene>bil bilenes>bil sekretærene>sekretær kakenes>kak bibliotekarens>bibliotekar veskas>vesk
      husets>hus flaggenes>flagg kamrene>kamr kyrne>kyrn kuene>kuen abc>abc 123>123 billigere>billiger
      billigst>billigst godhet>godh forelskelse>forelskels kristendom>kristendom følte>følt
      hemmeligheten>hemmelighet kjærlighet>kjærligh
    `),
  )('minimal_norwegian stems %s to %s', (word, stem) => {
    expect(stemOf('minimal_norwegian', word!)).toBe(stem)
  })

  it.each(
    pairs(`
      gut>gut guten>gut gutar>gut gutane>gut gutanes>gut søknadens>søknad søknadanes>søknad jentas>jent
      dyret>dyr dyras>dyr prospektas>prospekt innhaldet>innhald sønene>søn brørne>brørn vedunder>vedund
      farlegare>farlegar farlegast>farlegast sanninga>sanning syngje>syngj sunge>sung
    `),
  )('minimal_nynorsk stems %s to %s', (word, stem) => {
    expect(stemOf('minimal_nynorsk', word!)).toBe(stem)
  })

  it.each(
    pairs(`
      hemmeleg>hemmeleg hemmelegheita>hemmeleg hemmelegheiter>hemmeleg hemmelegheit>hemmeleg
      tryggleiken>trygg tryggleikar>trygg tryggleik>trygg verksemd>verk sovande>sov finaste>fin finare>fin
      finast>fin gutane>gut
    `),
  )('light_nynorsk stems %s to %s', (word, stem) => {
    expect(stemOf('light_nynorsk', word!)).toBe(stem)
  })

  it.each(
    pairs(`
      flickornas>flick möjligheten>möjlig händelser>händ bilarna>bilarn bilarne>bil vackrare>vackr
      vackraste>vackr enkelhet>enkel husets>hus bilar>bil arbetade>arbetad bil>bil
    `),
  )('light_swedish stems %s to %s', (word, stem) => {
    expect(stemOf('light_swedish', word!)).toBe(stem)
  })

  it.each(
    pairs(`
      книгами>книг новыми>нов новая>нов длинная>длин площадь>площад площадями>площад линиями>лин
      девушки>девушк его>его домов>дом хорошего>хорош
    `),
  )('light_russian stems %s to %s', (word, stem) => {
    expect(stemOf('light_russian', word!)).toBe(stem)
  })

  it.each(
    pairs(`
      bilder>bild frauen>frau lehrerinnen>lehrerin häuser>haus autos>auto tage>tage rose>rose klasse>klas
      jahres>jahr blumen>blum größer>groß apfel>apfel
    `),
  )('minimal_german stems %s to %s', (word, stem) => {
    expect(stemOf('minimal_german', word!)).toBe(stem)
  })

  it.each(
    pairs(`
      chevaux>cheval chapeaux>chapeal heureux>heureu baronnes>baron journalistes>journalist employée>employ
      premiers>premi avion>avion maison>maison
    `),
  )('minimal_french stems %s to %s', (word, stem) => {
    expect(stemOf('minimal_french', word!)).toBe(stem)
  })

  it.each(
    pairs(`
      talossa>talo kissalla>kis suomalainenkin>suomal taloihin>talo veden>ved rakkauden>rakau ihmisten>ihmis
      äitiä>ait kaupunkiko>kaupunk taloudellinen>talou lähde>lahd vuohde>vuoks nopeasti>nop yö>yö
    `),
  )('light_finnish stems %s to %s', (word, stem) => {
    expect(stemOf('light_finnish', word!)).toBe(stem)
  })

  it.each(
    pairs(`
      házakban>haz kézzel>kez gyermekeinknek>gyermek könyvetek>konyv asztalom>asztal városok>varos fiai>fia
      kutyája>kuty barátként>barat széppé>szep ember>ember
    `),
  )('light_hungarian stems %s to %s', (word, stem) => {
    expect(stemOf('light_hungarian', word!)).toBe(stem)
  })
})

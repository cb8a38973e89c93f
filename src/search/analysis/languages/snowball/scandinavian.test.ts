/**
 * Stems that the Snowball project's own stemmers give (version 3.1). Its Danish undoubles fewer consonants than the
 * version in Lucene, its Norwegian has another rule for -ers and more vowels; the words here are the same in both.
 */
import { describe, expect, it } from 'vitest'
import { danish } from './danish.ts'
import { norwegian } from './norwegian.ts'
import { swedish } from './swedish.ts'

const pairs = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('>'))

describe('the Danish stemmer', () => {
  it.each(
    pairs(`
      og>og hus>hus huset>hus huse>hus husene>hus husenes>hus kat>kat katten>kat katte>kat kattene>kat
      bog>bog bogen>bog bøger>bøg bøgerne>bøg pige>pig pigen>pig piger>pig pigerne>pig pigernes>pig
      drenge>dreng drengenes>dreng land>land landet>land lande>land landene>land landets>land arbejde>arbejd
      arbejder>arbejd arbejdede>arbejded arbejdet>arbejd arbejdende>arbejd friheden>frihed friheder>frihed
      frihedens>frihed muligheder>mul mulighederne>mulighed venlig>ven venligt>ven venligst>ven venlige>ven
      venlighed>ven kærlighed>kær kærligheden>kær hurtig>hurt hurtigst>hurt hurtigere>hurt modløst>modløs
      hjælpeløst>hjælpeløs arbejdsløshed>arbejdsløs ansigt>ans ansigter>ans bestemt>bestemt bestemte>bestemt
      bestemmelse>bestem bestemmelserne>bestem begyndelsen>begynd undersøgelser>undersøg
      indvending>indvending indvendinger>indvending underlig>under underligt>under smukkeste>smukkest
      sprogligt>sprog højt>højt hævdede>hævded lejlighederne>lejlighed troende>troend løbende>løb
      vandskabt>vandskabt eftergivende>eftergiv danskere>dansk forsikring>forsikring
      forsikringsselskab>forsikringsselskab kontorerne>kontor spillet>spil spillede>spilled
      svømmebassin>svømmebassin gade>gad gaderne>gad dansk>dansk danmarks>danmark hals>hal hest>hest
      hestens>hest åbent>åbent ø>ø øen>øen æbler>æbl år>år
    `),
  )('stems %s to %s', (word, stem) => {
    expect(danish(word!)).toBe(stem)
  })

  it('leaves numbers alone', () => {
    for (const word of ['0x0e00', 'hal9000', 'space1999']) expect(danish(word)).toBe(word)
  })

  it('undoubles every consonant', () => {
    expect(danish('bøvvlige')).toBe('bøv')
  })
})

describe('the Norwegian stemmer', () => {
  it.each(
    pairs(`
      og>og hus>hus huset>hus husene>hus husenes>hus bok>bok boken>bok bøker>bøk bøkene>bøk bøkenes>bøk
      jente>jent jenta>jent jenter>jent jentene>jent gutt>gutt gutten>gutt gutter>gutt guttene>gutt
      land>land landet>land lands>land landene>land arbeid>arbeid arbeidet>arbeid arbeider>arbeid
      arbeidende>arbeid muligheten>mul muligheter>mul mulighetene>mul mulighetenes>mul frihet>frih
      friheten>frihet frihetens>frihet vennlig>venn vennligst>vennligst vennlighet>venn kjærlighet>kjær
      kjærligheten>kjær deilig>deil deiligste>deiligst elskende>elsk havnedistriktene>havnedistrikt
      havneeffektiv>havneeffektiv skrevet>skrev skrivende>skriv fordelelig>fordel oppholdet>opphold
      oppholdstillatelse>oppholdstillat opptrådte>opptråd opptråtte>opptrått verdt>verd lovlig>lov
      ulovlig>ulov naturlov>natur naturlig>natur egenskaper>egenskap eiendeler>eiendel vakre>vakr
      vakrest>vakrest byggeplass>byggeplass byggverk>byggverk fiskere>fisker fiskeren>fisker fjell>fjell
      fjellet>fjell fjellene>fjell fjelltopper>fjelltopp norsk>norsk norske>norsk norges>norg bruker>bruk
      brukere>bruker brukerens>bruker kaster>kast kastet>kast kastes>kast hoppende>hopp hoppet>hopp
      hundens>hund dagene>dag dagens>dag takk>takk takkes>takk koks>koks boks>boks elsk>elsk gjestene>gjest
      hovedstaden>hovedstad hesten>hest åpent>åpent ærlig>ærl år>år øyene>øyen
    `),
  )('stems %s to %s', (word, stem) => {
    expect(norwegian(word!)).toBe(stem)
  })

  it('removes -ers behind any letter', () => {
    expect(norwegian('onasters')).toBe('onast')
  })
})

describe('the Swedish stemmer', () => {
  it.each(
    pairs(
      'inlöst>inlös fibröst>fibrös tittarrösterna>tittarrös nejrösten>nejrös melodiöst>melodiös tröst>tröst höst>höst',
    ),
  )('stems %s to %s, as Lucene 10 does', (word, stem) => {
    expect(swedish(word!)).toBe(stem)
  })
})

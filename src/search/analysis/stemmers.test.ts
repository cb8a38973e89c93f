/** The examples of the stemmers' own descriptions. */
import { describe, expect, it } from 'vitest'
import { englishStem } from './filters/english-stemmer.ts'
import { porterStem } from './filters/porter-stemmer.ts'

const pairs = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('>'))

describe('the Porter stemmer', () => {
  it.each(
    pairs(`caresses>caress ponies>poni ties>ti caress>caress cats>cat feed>feed agreed>agre plastered>plaster
      bled>bled motoring>motor sing>sing conflated>conflat troubled>troubl sized>size hopping>hop tanned>tan
      falling>fall hissing>hiss fizzed>fizz failing>fail filing>file happy>happi sky>sky relational>relat
      conditional>condit rational>ration valenci>valenc digitizer>digit conformabli>conform radicalli>radic
      differentli>differ vileli>vile analogousli>analog vietnamization>vietnam predication>predic operator>oper
      feudalism>feudal decisiveness>decis hopefulness>hope callousness>callous formaliti>formal sensitiviti>sensit
      sensibiliti>sensibl triplicate>triplic formative>form formalize>formal electriciti>electr electrical>electr
      hopeful>hope goodness>good revival>reviv allowance>allow inference>infer airliner>airlin adjustable>adjust
      defensible>defens irritant>irrit replacement>replac adjustment>adjust dependent>depend adoption>adopt
      homologou>homolog communism>commun activate>activ angulariti>angular homologous>homolog effective>effect
      bowdlerize>bowdler probate>probat rate>rate cease>ceas controll>control roll>roll apologies>apolog
      generalizations>gener oscillators>oscil is>is by>by`),
  )('stems %s to %s', (word, stem) => {
    expect(porterStem(word!)).toBe(stem)
  })
})

describe('stemmers on any input', () => {
  it('terminate for any letters', () => {
    for (const word of ['y'.repeat(100_000), `${'ay'.repeat(50_000)}ing`, `${'s'.repeat(100_000)}ed`]) {
      expect(porterStem(word).length).toBeGreaterThan(word.length - 5)
      expect(englishStem(word).length).toBeGreaterThan(word.length - 5)
    }
    expect(porterStem('syyying')).toBe('syyi')
  })
})

describe('the English stemmer', () => {
  it.each(
    pairs(`consign>consign consigned>consign consigning>consign consignment>consign consist>consist
      consisted>consist consistency>consist consistent>consist consistently>consist consisting>consist
      consolation>consol consolations>consol consolatory>consolatori console>consol consolingly>consol
      consonant>conson conspicuous>conspicu conspicuously>conspicu conspiracy>conspiraci conspirator>conspir
      constable>constabl constables>constabl constance>constanc constancy>constanc constant>constant knack>knack
      knackeries>knackeri knacks>knack knag>knag knave>knave knaves>knave knavish>knavish kneaded>knead
      kneading>knead knee>knee kneel>kneel kneeled>kneel kneels>kneel knees>knee knell>knell knew>knew knick>knick
      knif>knif knife>knife knight>knight knightly>knight knights>knight knit>knit knits>knit knitted>knit
      knitting>knit knives>knive knob>knob knock>knock knocked>knock knocker>knocker knocking>knock
      skies>sky dying>die news>news ties>tie cries>cri gas>gas this>this gaps>gap kiwis>kiwi luxuriated>luxuri
      hopping>hop hoping>hope say>say cry>cri by>by generate>generat generously>generous inning>inning
      proceed>proceed dog's>dog adding>add ebbed>ebb erring>err offing>off addedly>add`),
  )('stems %s to %s', (word, stem) => {
    expect(englishStem(word!)).toBe(stem)
  })
})

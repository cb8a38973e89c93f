/**
 * Stems that the Snowball project's own stemmers give (version 3.1). Its Finnish takes off an n where -hin and the like
 * do not apply, and its Hungarian knows no digraphs when it looks for the region; the words here are the same in both.
 */
import { describe, expect, it } from 'vitest'
import { finnish } from './finnish.ts'
import { hungarian } from './hungarian.ts'

const pairs = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('>'))

describe('the Finnish stemmer', () => {
  it.each(
    pairs(`
      ja>ja on>on talo>talo talon>talo talossa>talo talosta>talo taloon>talo talolla>talo talolta>talo
      talolle>talo talona>talo taloksi>talo talot>talo talojen>talo taloissa>talo taloista>talo
      taloihin>talo talossani>talo talossasi>talo talossaan>talo talomme>talo talonne>talo talonsa>talo
      kirja>kirj kirjat>kirj kirjan>kirj kirjoista>kirj kirjoissaan>kirj kirjojen>kirj kirjansa>kirj
      kirjallisuus>kirjallisuus kirjallisuuden>kirjallisuud edeltäjien>edeltäj edeltäjiensä>edeltäjie
      edeltäjiinsä>edeltäj edeltäjistään>edeltäj edeltäjään>edeltäj edeltäneelle>edeltän
      innostuneempia>innostun innostuneisuus>innostuneisuus innostuksessaan>innostuks
      innostuisivat>innostuisiv innostunutta>innostunut aarteisiin>aart adressiin>adres suomi>suomi
      suomen>suome suomessa>suome suomalainen>suomalain suomalaisten>suomalaist helsinki>helsink
      helsingissä>helsing helsinkiin>helsink kaupunki>kaupunk kaupungin>kaupung kaupungeissa>kaupung
      kaunis>kaunis kauniin>kaun kauniimpi>kauniimp kauniimmat>kauniim suurempi>suuremp suurempaa>suuremp
      suurimmat>suurim nopeasti>nopeast vapaasti>vapaast hyvin>hyv tekijä>tekij tekijät>tekij lukija>lukij
      lukijoiden>lukij opettaja>opettaj opettajan>opettaj opettajatkin>opettaj onko>on onkohan>onko
      tulevatko>tulev eläkkeellä>eläk aatonaatto>aatonaato kulttuuri>kulttuur maassa>maas maahan>maaha
      yössä>yös yöhön>yöhö työhön>työhö puihin>puih veteen>vete mieheen>miehe hallitukseen>hallituks
      hallituksensa>hallituks sanomalehdessä>sanomalehd kukkaan>kuk kukatta>kukat vieraitten>viera
      rakkaudella>rakkaud rakkauksineen>rakkauks ystäväni>ystäv ystäväkseni>ystäv
    `),
  )('stems %s to %s', (word, stem) => {
    expect(finnish(word!)).toBe(stem)
  })

  it('leaves -hin behind another letter, and numbers alone', () => {
    expect(finnish('vanhin')).toBe('vanhin')
    expect(finnish('2000')).toBe('2000')
  })
})

describe('the Hungarian stemmer', () => {
  it.each(
    pairs(`
      a>a és>és ház>ház háza>ház házak>ház házban>ház házból>ház házhoz>ház háznál>ház háznak>ház házzal>ház
      házért>ház házaim>ház házaink>ház házaitok>ház házunk>ház babaháznak>babaház babakocsi>babakocs
      babakocsijáért>babakocs babakocsit>babakocs babakocsiért>babakocs babból>bab babgulyást>babgulyás
      babonákkal>babona babrálgatta>babrálgatt babrálni>babráln babusgatnak>babusgat babákkal>baba
      babérfa>babérf babérokat>babér badacsonyi>badacsony badarságok>badarság baglyokat>bagly
      bajbajutottakat>bajbajutott bajlódjanak>bajlód mulandóságot>mulandóság mulasszátok>mulasszát
      mulasztanak>mulaszt mulasztottam>mulasztott mulasztották>mulasztotta mulaszthatom>mulaszthat
      mulasztásban>mulasztás mulasztással>mulasztás mulasztásáért>mulasztás mulathatnánk>mulathatna
      mulatoznak>mulatoz mulatozáshoz>mulatozás mulatságos>mulatságos mulattatta>mulattatt könyv>könyv
      könyvek>könyv könyvet>könyv könyvekkel>könyv könyvében>könyv könyvükben>könyv gyerek>gyer
      gyerekek>gyerek gyerekeknek>gyerek gyermekem>gyerm gyermekeink>gyerm város>város városban>város
      városok>város városokban>város városunk>város magyar>magyar magyarok>magyar
      magyarországon>magyarország budapesten>budapest budapestre>budapest kocsival>kocs késsel>kés
      kézzel>kéz ággyal>ágy faággyal>faágy széppé>szép jóvá>jó emberként>ember emberré>ember
      feleségestül>feleségest ruhástul>ruhást kertekben>kert kertjeink>kert kertjeitek>kert almák>alma
      almát>alm alma>alm almáé>alma kutyáké>kuty kutyámé>kutya autómmal>autó tanítóéi>tanító órakor>ór
      estéig>est cső>cső csövek>csöv tűzzel>tűz öregek>öreg üzenet>üzen asszony>asszony asszonynak>asszony
      asszonnyal>asszony egyetemistáknak>egyetemista orvosságot>orvosság
    `),
  )('stems %s to %s', (word, stem) => {
    expect(hungarian(word!)).toBe(stem)
  })

  it('takes a digraph for one consonant', () => {
    expect(hungarian('ucstülba')).toBe('ucstül')
  })
})

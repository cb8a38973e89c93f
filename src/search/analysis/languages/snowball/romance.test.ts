/**
 * Stems that the Snowball project's own stemmers give (version 3.1). Its French has further rules since Lucene 10 took the
 * algorithm, for -oux, -aise, words in ni- and elisions, its Spanish for -acion, its Italian for divano; the words here
 * are the same in both.
 */
import { describe, expect, it } from 'vitest'
import { french } from './french.ts'
import { italian } from './italian.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

const pairs = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('>'))

describe('the French stemmer', () => {
  it.each(
    pairs(`
      continu>continu continua>continu continuait>continu continuant>continu continuation>continu
      continue>continu continuel>continuel continuelle>continuel continuellement>continuel continuer>continu
      continuité>continu main>main mains>main maintenant>mainten maintenir>mainten maire>mair maires>mair
      maison>maison maisons>maison majesté>majest majestueusement>majestu majorité>major cheval>cheval
      chevaux>cheval bateau>bateau bateaux>bateau heureux>heureux heureuse>heureux heureuses>heureux
      heureusement>heureux nation>nation national>national nationale>national nationalité>national
      nationaux>national politique>polit politiques>polit jouer>jou joué>jou jouerons>jou ennui>ennui
      ennuie>ennui yeux>yeux quand>quand croyiez>croi croyez>croi employer>emploi emploie>emploi naïf>naïf
      naïve>naïv haïr>haïr haïssait>haïss noël>noël famille>famill ancienne>ancien anciennes>ancien
      bonne>bon muette>muet belle>bel pareille>pareil première>premi premières>premi dernièrement>derni
      finir>fin finissait>fin finissons>fin finissement>fin applaudissements>applaud constamment>const
      évidemment>évident récemment>récent vraiment>vrai lentement>lent rapidement>rapid absolument>absolu
      activité>activ activement>activ capable>capabl capabilité>capabl possibilité>possibil
      psychologie>psycholog solution>solut solutions>solut conclusion>conclus existence>existent
      existences>existent actrice>actric éducation>éduc éducateurs>éduc indication>indiqu indicative>indiqu
      modification>modif administratif>administr administrative>administr adorer>ador voler>vol tapis>tapis
      parler>parl parlerions>parl colère>coler grâce>grâc français>franc garçon>garçon garçons>garçon
      leçons>leçon mangea>mang mangeait>mang commença>commenc élève>élev élevé>élev fièvre>fievr
      achète>achet siècle>siecl cours>cour fils>fil temps>temp
    `),
  )('stems %s to %s', (word, stem) => {
    expect(french(word!)).toBe(stem)
  })

  it('knows no rules that came after Lucene 10', () => {
    expect(french('française')).toBe('français')
    expect(french('hiboux')).toBe('hiboux')
  })
})

describe('the Italian stemmer', () => {
  it.each(
    pairs(`
      abbandonata>abbandon abbandonate>abbandon abbandonati>abbandon abbandonato>abbandon
      abbandonava>abbandon abbandonerà>abbandon abbandoneranno>abbandon abbandono>abband
      abbaruffato>abbaruff abbassamento>abbass abbassandosi>abbass abbassare>abbass abbassarono>abbass
      abbassarsi>abbass abbia>abbi abbiamo>abbiam pronto>pront pronuncerà>pronunc pronunciare>pronunc
      pronunzia>pronunz propose>propos proposito>propos proprietà>propriet provvedere>provved città>citt
      crocchi>crocc crocchio>crocc chiese>chies laghi>lagh amiche>amic casa>cas case>cas ragazzo>ragazz
      ragazzi>ragazz gatto>gatt gatti>gatt libro>libr libri>libr nazione>nazion nazionale>nazional
      nazionalità>nazional azione>azion azioni>azion organizzazione>organizz comunicazione>comun
      comunicazioni>comun guardandogli>guard accomodarci>accomod dirglielo>dirgliel parlarne>parl
      vedendola>ved venirsene>ven amabile>amabil possibili>possibil possibilità>possibil felicità>felic
      attività>attiv attivamente>attiv rapidamente>rapid assolutamente>assolut famosamente>famos
      soluzione>soluzion confusione>confusion psicologia>psicolog analogie>analog presenza>presenz
      differenze>different importante>import importanti>import momento>moment movimenti>mov finisce>fin
      finiscono>fin finirebbero>fin credevano>cred crederesti>cred leggere>legg leggendo>legg aiuole>aiuol
      guaio>guai noia>noi quando>quand quiete>qui acquisto>acquist operativo>oper comunicativo>comun
      nativa>nat perché>perc perchè>perc così>cos più>più virtù>virtù scrittrice>scrittric attrice>attric
      artisti>artist artistà>artist
    `),
  )('stems %s to %s', (word, stem) => {
    expect(italian(word!)).toBe(stem)
  })
})

describe('the Portuguese stemmer', () => {
  it.each(
    pairs(`
      boa>boa boainain>boainain boas>boas bobagem>bobag bobagens>bobagens bobalhões>bobalhõ boca>boc
      bocaina>bocain bocas>boc boi>boi bolsa>bols bolsas>bols bom>bom bonita>bonit bonito>bonit quiabo>quiab
      quicaram>quic quicava>quic quilate>quilat quilo>quil químico>químic químicas>químic quinta>quint
      quis>quis quiser>quis casa>cas casas>cas livro>livr livros>livr menino>menin meninas>menin
      coração>coraçã corações>coraçõ nação>naçã nações>naçõ nacional>nacional nacionalidade>nacional
      irmã>irmã irmãs>irmãs pão>pã pães>pã mãe>mã limões>limõ falar>fal falando>fal falou>fal falava>fal
      falávamos>fal falaremos>fal falaríamos>fal falado>fal falarão>fal comer>com comia>com comendo>com
      comeram>com comeríamos>com partir>part partimos>part partiram>part partisse>part beleza>belez
      belezas>belez rápido>ráp rapidamente>rapid felizmente>feliz absolutamente>absolut
      comparativamente>compar amavelmente>amavel importante>import importância>import diferença>diferenc
      diferenças>diferenc paciência>paciênc ciência>ciênc capacidade>capac possibilidade>possibil
      atividades>ativ ativo>ativ ativa>ativ solução>soluçã soluções>soluçõ biologia>biolog
      trabalhador>trabalh trabalhadora>trabalh organização>organiz organizações>organiz pensamento>pensament
      crescimento>cresciment famoso>famos famosas>famos amável>amável possível>possível possíveis>possív
      primeira>primeir primeiras>primeir cadeiras>cadeir negócio>negóci negócios>negóci país>país
      países>país água>águ segue>seg sangue>sang almoço>almoc cabeça>cabec criança>crianc crianças>crianc
      português>português portuguesa>portugues
    `),
  )('stems %s to %s', (word, stem) => {
    expect(portuguese(word!)).toBe(stem)
  })
})

describe('the Spanish stemmer', () => {
  it.each(
    pairs(`
      che>che checa>chec checar>chec checo>chec chequeo>cheque cheque>chequ cheques>chequ chica>chic
      chicas>chic chico>chic chicos>chic torá>tor tórax>torax torear>tor torero>torer toros>tor torre>torr
      torres>torr casa>cas casas>cas perro>perr perros>perr niño>niñ niños>niñ niña>niñ canción>cancion
      canciones>cancion traducción>traduccion traducciones>traduccion nación>nacion nacional>nacional
      nacionales>nacional nacionalidad>nacional hablar>habl hablando>habl habló>habl hablaba>habl
      hablábamos>habl hablaremos>habl hablaríamos>habl hablado>habl comer>com comía>com comiendo>com
      comieron>com comeríamos>com vivir>viv vivimos>viv vivieron>viv viviera>viv viviésemos>viv
      dándole>dandol diciéndome>dic haciéndola>hac comprarlo>compr verlos>verl decírselo>dec irse>irse
      huyendo>huyend construyéndose>construyendos construyeron>constru contribuya>contribu oyendo>oyend
      rápidamente>rapid felizmente>feliz absolutamente>absolut comparativamente>compar posiblemente>posibl
      constantemente>constant capacidad>capac posibilidades>posibil actividad>activ nativo>nativ
      nativa>nativ comunicación>comun comunicaciones>comun solución>solucion soluciones>solucion
      tecnología>tecnolog tecnologías>tecnolog importancia>import diferencia>diferent diferencias>diferent
      pensamiento>pensamient crecimientos>crecimient trabajador>trabaj trabajadora>trabaj
      organización>organiz famoso>famos famosas>fam bueno>buen pagué>pag paguen>pag pague>pag
      averigüe>averigü sigue>sig siguiente>siguient amable>amabl ciudad>ciud ciudades>ciudad país>pais
      países>pais áureo>aure oliva>oliv trabajo>trabaj
    `),
  )('stems %s to %s', (word, stem) => {
    expect(spanish(word!)).toBe(stem)
  })
})

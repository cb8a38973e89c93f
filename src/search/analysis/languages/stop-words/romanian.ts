/** Stop words of Romanian as Lucene has them. */
export const romanian = `
  acea aceasta această aceea acei aceia acel acela acele acelea acest acesta aceste acestea aceşti aceştia
  acești aceștia acolo acum ai aia aibă aici al ale alea altceva altcineva am ar are asemenea asta astea
  astăzi asupra au avea avem aveţi aveți azi aş aşadar aţi aș așadar ați bine bucur bună ca care ce cel
  ceva chiar cine cineva contra cu cum cumva curând curînd când cât câte câtva câţi câți cînd cît cîte
  cîtva cîţi cîți că căci cărei căror cărui către da dacă dar datorită de deci deja deoarece departe deşi
  deși din dinaintea dintr dintre drept după dă ea ei el ele eram este eu eşti ești face fi fie fiecare
  fii fim fiţi fiți fără iar ieri la le li lor lui lângă lîngă mea mei mele mereu meu mi mine mult multă
  mulţi mulți mâine mă ne nici nicăieri nimeni nişte niște noastre noastră noi nostru noştri noștri nu ori
  oricare orice oricine oricum oricând oricât oricînd oricît oriunde pe pentru peste poate pot prea prima
  primul prin printr până pînă sa sale sau se spre sub sunt suntem sunteţi sunteți sînt sîntem sînteţi
  sînteți să săi său ta tale te tine toate toată tot totuşi totuși toţi toți tu tăi tău un una unde undeva
  unei unele uneori unor vi voastre voastră voi vostru vouă voştri voștri vreo vreun vă îi îl îmi
  împotriva în înainte înaintea încotro încât încît între întrucât întrucît îţi îți ăla ălea ăsta ăstea
  ăştia ăștia şi ţi ţie și ți ție`

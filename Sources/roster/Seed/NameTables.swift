/// Names for generated people, in the scripts that real directories hold; each with its Latin form for addresses.
struct NameTable: Sendable {
  struct Name: Sendable {
    var text: String
    var latin: String
  }

  var given: [Name]
  var family: [Name]
  var locale: String
  var timezone: String
  var country: String
  /// True where the family name comes first in the full name.
  var isFamilyFirst = false
  /// What stands between the names of a full name.
  var separator = " "

  static let all: [NameTable] = [
    NameTable(
      given: names("Emma Liam Olivia Noah Ava Ethan Sophia Mason Grace Lucas Chloe Henry Ruby Jack Alice Oscar"),
      family: names("Smith Johnson Brown Taylor Walker Wright Turner Hughes Foster Bennett Palmer Reed Hayes Ward"),
      locale: "en-US", timezone: "America/Chicago", country: "US"),
    NameTable(
      given: names(
        "Zoë=zoe André=andre Chloé=chloe François=francois Hélène=helene Noémie=noemie René=rene Maëlle=maelle"),
      family: names("Lefèvre=lefevre Dubois Moreau Garçon=garcon Béranger=beranger Crêté=crete Noël=noel Hervé=herve"),
      locale: "fr-FR", timezone: "Europe/Paris", country: "FR"),
    NameTable(
      given: names("Jürgen=juergen Käthe=kaethe Björn=bjoern Günther=guenther Änne=aenne Sören=soeren Marlene Lutz"),
      family: names(
        "Müller=mueller Schäfer=schaefer Groß=gross Köhler=koehler Weiß=weiss Böhm=boehm Vogel Krüger=krueger"),
      locale: "de-DE", timezone: "Europe/Berlin", country: "DE"),
    NameTable(
      given: names("Łukasz=lukasz Małgorzata=malgorzata Żaneta=zaneta Wojciech Świętosława=swietoslawa Krzysztof"),
      family: names("Wiśniewski=wisniewski Wójcik=wojcik Kowalczyk Dąbrowski=dabrowski Łuczak=luczak Zając=zajac"),
      locale: "pl-PL", timezone: "Europe/Warsaw", country: "PL"),
    NameTable(
      given: names(
        "José=jose Íñigo=inigo Begoña=begona Lucía=lucia Andrés=andres Ángela=angela Mónica=monica Raúl=raul"),
      family: names(
        "García=garcia Núñez=nunez Martínez=martinez Peña=pena Ibáñez=ibanez Gutiérrez=gutierrez Solís=solis"),
      locale: "es-ES", timezone: "Europe/Madrid", country: "ES"),
    NameTable(
      given: names("Nguyên=nguyen Thảo=thao Đức=duc Hương=huong Quỳnh=quynh Tuấn=tuan Ngọc=ngoc Phượng=phuong"),
      family: names("Trần=tran Lê=le Phạm=pham Hoàng=hoang Vũ=vu Đặng=dang Bùi=bui Đỗ=do"),
      locale: "vi-VN", timezone: "Asia/Ho_Chi_Minh", country: "VN", isFamilyFirst: true),
    NameTable(
      given: names("Анна=anna Дмитрий=dmitriy Екатерина=ekaterina Сергей=sergey Ольга=olga Юрий=yuriy Фёдор=fyodor"),
      family: names(
        "Иванов=ivanov Кузнецов=kuznetsov Соловьёв=solovyov Петренко=petrenko Щукин=shchukin Чехов=chekhov"),
      locale: "ru-RU", timezone: "Europe/Moscow", country: "RU"),
    NameTable(
      given: names(
        "Γιώργος=giorgos Ελένη=eleni Νίκος=nikos Μαρία=maria Δημήτρης=dimitris Σοφία=sofia Οδυσσέας=odysseas"),
      family: names("Παπαδόπουλος=papadopoulos Οικονόμου=oikonomou Αγγελής=angelis Βασιλείου=vasileiou Ψαράς=psaras"),
      locale: "el-GR", timezone: "Europe/Athens", country: "GR"),
    NameTable(
      given: names("伟=wei 芳=fang 秀英=xiuying 强=qiang 静=jing 建国=jianguo 丽=li 明=ming"),
      family: names("王=wang 李=li 张=zhang 刘=liu 陈=chen 杨=yang 黄=huang 欧阳=ouyang"),
      locale: "zh-CN", timezone: "Asia/Shanghai", country: "CN", isFamilyFirst: true, separator: ""),
    NameTable(
      given: names("健二=kenji 美咲=misaki 翔太=shota さくら=sakura 大輔=daisuke ユウキ=yuuki 花子=hanako 蓮=ren"),
      family: names("佐藤=sato 鈴木=suzuki 高橋=takahashi 田中=tanaka 渡辺=watanabe 𠮷田=yoshida 山本=yamamoto 小林=kobayashi"),
      locale: "ja-JP", timezone: "Asia/Tokyo", country: "JP", isFamilyFirst: true),
    NameTable(
      given: names("민준=minjun 서연=seoyeon 지훈=jihoon 수진=sujin 현우=hyunwoo 유나=yuna"),
      family: names("김=kim 이=lee 박=park 최=choi 정=jung 강=kang"),
      locale: "ko-KR", timezone: "Asia/Seoul", country: "KR", isFamilyFirst: true, separator: ""),
    NameTable(
      given: names("محمد=mohammed فاطمة=fatima علي=ali نور=nour يوسف=youssef ليلى=layla خالد=khaled"),
      family: names("حسن=hassan العلي=alali الخطيب=alkhatib منصور=mansour القاسم=alqasim سعيد=saeed"),
      locale: "ar-EG", timezone: "Africa/Cairo", country: "EG"),
    NameTable(
      given: names("נועה=noa דוד=david יעל=yael משה=moshe תמר=tamar איתן=eitan"),
      family: names("כהן=cohen לוי=levi מזרחי=mizrahi פרץ=peretz ביטון=biton"),
      locale: "he-IL", timezone: "Asia/Jerusalem", country: "IL"),
    NameTable(
      given: names("अनिता=anita राहुल=rahul प्रिया=priya विजय=vijay लक्ष्मी=lakshmi कृष्ण=krishna श्रेया=shreya"),
      family: names("शर्मा=sharma वर्मा=verma सिंह=singh गुप्ता=gupta मिश्रा=mishra जोशी=joshi"),
      locale: "hi-IN", timezone: "Asia/Kolkata", country: "IN"),
    NameTable(
      given: names("สมชาย=somchai มาลี=malee ประยุทธ์=prayut สุดา=suda อนันต์=anan"),
      family: names("ใจดี=jaidee สุขสันต์=suksan ทองดี=thongdee แก้วมณี=kaewmanee"),
      locale: "th-TH", timezone: "Asia/Bangkok", country: "TH"),
  ]

  /// Reads `Zoë=zoe Emma …`; a name without its Latin form is Latin.
  private static func names(_ list: String) -> [Name] {
    list.split(separator: " ").map { word in
      let parts = word.split(separator: "=").map(String.init)
      return Name(text: parts[0], latin: parts.count > 1 ? parts[1] : parts[0].lowercased())
    }
  }
}

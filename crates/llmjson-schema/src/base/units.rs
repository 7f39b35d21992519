//! The closed table of units and currencies, in the languages that are read.

/// The units of each measure: symbols, words in lower case and the singular, and the prefixes
/// allowed before a symbol. Currencies have their ISO 4217 codes. `fraction` and the like are never
/// written after a number: they only show that a percentage is not wanted.
pub(crate) const UNITS: &str = "\
    length:m|meter,metre,metro,mètre,метр,метра,метров,米,メートル,미터,متر,公里=k|kcmdhunµμ;in|inch;ft|foot,feet;yd,yds|yard;mi|mile;nmi|nautical mile;px|pixel\n\
    mass:g|gram,gramm,gramme,gramo,grama,грамм,грамма,граммов,克,グラム,그램,غرام,kilo=k,公斤=k,кг=k|kmunµμ;t|ton,tonne,metric ton;lb,lbs|pound;oz|ounce\n\
    count:|piece,unit,pcs,pc,stück,pièce,pieza,unidade,штук,шт,个,個,件,개,قطع\n\
    time:s,sec,secs|second,sekunde,sekunden,seconde,segundo,секунда,секунды,секунд,秒,초,ثانية|munµμ;min,mins|minute,minuten,minuto,минута,минуты,минут,分,分钟,分鐘,분,دقيقة;h,hr,hrs|hour,stunde,stunden,heure,hora,час,часа,часов,小时,小時,時間,시간,ساعة;d|day,tag,tage,tagen,jour,día,dia,день,дня,дней,天,日,일,يوم;wk,wks|week,woche,wochen,semaine,semana,неделя,недели,недель,周,週間,주,أسبوع;mo,mos|month,monat,monate,mois,mes,meses,mês,месяц,месяца,месяцев,个月,個月,か月,ヶ月,개월,شهر;\
    y,yr,yrs|year,years old,year old,yo,y/o,jahr,jahre,an,ans,année,año,ano,год,года,лет,年,岁,歲,歳,년,세,سنة,عام\n\
    temperature:K|kelvin|m;°C,℃,ºC,C|celsius,degree celsius,grad celsius,degrees celsius,degrees c;\
    °F,℉,ºF,F|fahrenheit,degree fahrenheit,degrees fahrenheit,degrees f\n\
    angle:°,deg|degree,grad,degré,grado,grau,градус,градуса,градусов,度,도,درجة;rad|radian|m\n\
    ratio:%,pct,％,٪|percent,per cent,percentage,prozent,pour cent,por ciento,por cento,процент,процента,процентов,\
    パーセント,百分之,퍼센트,بالمئة;‰|permille,per mille;ppm|parts per million;\
    |fraction,ratio,probability,proportion\n\
    volume:L,l,ℓ|liter,litre|mcdhuµμ;gal|gallon;fl oz|fluid ounce;m³,m3,m^3,cbm|cubic meter,cubic metre;\
    cm³,cm3,cm^3,cc|cubic centimeter,cubic centimetre\n\
    area:m²,m2,m^2,sqm,sq m|square meter,square metre;\
    km²,km2,km^2,sq km|square kilometer,square kilometre;\
    cm²,cm2,cm^2|square centimeter,square centimetre;\
    ft²,ft2,ft^2,sqft,sq ft|square foot,square feet;ha|hectare;ac|acre\n\
    speed:km/h,kmh,kph,kmph|kilometers per hour,kilometres per hour;\
    m/s,mps|meters per second,metres per second;mph|miles per hour;kn,kt,kts|knot\n\
    acceleration:m/s²,m/s2,m/s^2\n\
    frequency:Hz|hertz|kMGT;rpm|revolutions per minute;bpm|beats per minute;fps|frames per second\n\
    matter:mol|mole|kmunµμ\n\
    light:cd|candela;lm|lumen;lx|lux\n\
    pressure:Pa|pascal|kMGhm;bar||m;psi|pounds per square inch;mmHg;N|newton;kN|kilonewton;\
    Nm|newton meter,newton metre\n\
    energy:J|joule|kMGm;Wh|watt hour|kMGTm;cal|calorie|k;eV|electronvolt|kMGTm\n\
    power:W|watt|kMGTmuµμ;hp|horsepower\n\
    electric:A|ampere,amp|kmunµμ;V|volt|kmMuµμ;Ω,Ω|ohm|kMm;F|farad|munpµμ;H|henry|munµμ;\
    Ah|ampere hour,amp hour|mk;T|tesla|munµμ\n\
    radiation:Sv|sievert|mµμu;Gy|gray|mµμu;Bq|becquerel|kMG\n\
    sound:dB|decibel\n\
    data:B|byte|kKMGTPE;iB||kMGT;KiB|kibibyte;MiB|mebibyte;GiB|gibibyte;TiB|tebibyte;bit,b|bit|kMGT;\
    bps,bit/s,b/s||kMGT\n\
    currency:USD,$,US$,＄|dollar,us dollar,buck;EUR,€|euro;GBP,£,￡|pound,pound sterling,pounds sterling;\
    JPY,¥,￥,円|yen;CNY,RMB,¥,￥,元|yuan,renminbi;INR,₹,Rs,Rs.|rupee;KRW,₩|won;\
    CHF,Fr.|franc,swiss franc;CAD,$,C$,CA$|dollar,canadian dollar;\
    AUD,$,A$,AU$|dollar,australian dollar;NZD,$,NZ$|dollar,new zealand dollar;\
    SGD,$,S$|dollar,singapore dollar;HKD,$,HK$|dollar,hong kong dollar;\
    TWD,$,NT$|dollar,taiwan dollar;MXN,$,MX$|peso;ARS,$|peso;CLP,$|peso;COP,$|peso;PHP,₱|peso;\
    BRL,R$|real,reais;SEK,kr|krona,kronor,crown;NOK,kr|krone,kroner,crown;\
    DKK,kr,kr.|krone,kroner,crown;CZK,Kč|koruna,crown;PLN,zł|zloty,złoty;HUF,Ft|forint;RON,lei|leu;\
    BGN,лв|lev;RUB,₽|ruble,rouble;UAH,₴|hryvnia;TRY,₺|lira;ILS,₪|shekel;AED|dirham;SAR|riyal;\
    EGP,E£|pound;ZAR|rand;NGN,₦|naira;KES|shilling;GHS,₵|cedi;THB,฿|baht;VND,₫|dong;IDR,Rp|rupiah;\
    MYR|ringgit;PKR,Rs,Rs.|rupee;BDT,৳|taka;LKR,Rs,Rs.|rupee;BTC,₿|bitcoin;ETH|ether;¢,ct,cts|cent";

/// Prefixes of units in words, each with its symbol.
pub(crate) const UNIT_PREFIXES: &str = "kilo=k кило=k 千=k キロ=k 킬로=k كيلو=k mega=M giga=G tera=T milli=m micro=u nano=n \
    centi=c zenti=c deci=d hecto=h";

/** Addresses that are not public, one or more of each kind. */
export const privateIpv4 = [
  "0.0.0.0 0.0.0.1 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.0.0.53",
  "127.255.255.254 168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.17.0.1 172.31.255.255",
  "192.0.0.1 192.0.0.170 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.254",
  "192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1",
  "255.255.255.255",
].flatMap((line) => line.split(" "));

export const privateIpv6 = [
  ":: ::1 ::127.0.0.1 ::10.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8",
  "::ffff:0:10.0.0.1 64:ff9b::10.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::10.0.0.1 100::1 2001::1 2001:0:a00:1::1",
  "2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:db8::1 2002:a00:1::1 2002:7f00:1::1",
  "2620:4f:8000::1 2606:4700::5efe:10.0.0.1 2606:4700::200:5efe:10.0.0.1 3fff::1 4000::1 5f00::1 fc00::1",
  "fd00:ec2::254 fe80::1 fec0::1 ff02::1",
].flatMap((line) => line.split(" "));

/** Other spellings of 127.0.0.1, 10.0.0.1 and similar addresses in a URL. */
const spelledAddresses = [
  "127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.0000.0000.0001 0",
  "0x0 00.00.00.00 127.0.0.1. 0xA9FEA9FE 2852039166 169.254.43518 0251.0376.0251.0376 10.1 0xa.1 012.1 192.168.257",
  "１２７.０.０.１ 127。0。0。1 ①②⑦.0.0.1 %31%32%37.0.0.1 10%2e0%2e0%2e1 [::ffff:7f00:1] [0:0:0:0:0:0:0:1]",
  "[::ffff:a9fe:a9fe] [0000::1] [fd12:3456:789a::1] [::ffff:0:127.0.0.1]",
].flatMap((line) => line.split(" "));

const privateNames = [
  "localhost LOCALHOST localhost. foo.localhost localhost.localdomain printer.local metadata.google.internal",
  "instance-data.ec2.internal kubernetes.default.svc.cluster.local router.home.arpa 1.0.0.127.in-addr.arpa a.test",
  "pages.assay.test.  x.invalid site.example hidden.onion a.alt nas.lan wiki.corp wiki.intranet pc.home db.private",
  "host.docker.internal.  kubernetes intranet metadata wpad com example.com. example..com .example.com eepsite.i2p",
  "LOCALＨOST ⓛocalhost loc\u00adalhost localhost%2e printer.ｌｏｃａｌ mail.workgroup",
].flatMap((line) => line.split(/ +/));

const malformed = [
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "data:text/html,hello",
  "javascript:alert(1)",
  "ws://example.com/",
  "blob:https://example.com/1",
  "about:blank",
  "http://user@example.com/",
  "http://user:password@example.com/",
  "http://:password@example.com/",
  "http://example.com@127.0.0.1/",
  "http://example.com:22/",
  "http://example.com:8080/",
  "https://example.com:8443/",
  "http://example.com:0/",
  "http://example.com:65536/",
  "http://",
  "http:///",
  "//example.com/",
  "example.com",
  "/etc/passwd",
  "",
  "http://exa mple.com/",
  "http://exam<ple.com/",
  "http://[::1/",
  "http://[fe80::1%25eth0]/",
  "http://1.2.3.4.5/",
  "http://256.256.256.256/",
  "http://0x1ffffffff/",
  "http:\\\\127.0.0.1\\",
  "http:127.0.0.1",
  "http://127.0.0.1\t/",
  "\u0000http://10.0.0.1/",
  `http://example.com/${"a".repeat(2048)}`,
];

/** Refused by the URL alone. */
export const forbiddenUrls: readonly string[] = [
  ...privateIpv4.map((address) => `http://${address}/`),
  ...privateIpv6.map((address) => `https://[${address}]/`),
  ...[...spelledAddresses, ...privateNames].map((host) => `http://${host}/`),
  ...malformed,
];

# SPDX-License-Identifier: Apache-2.0
"""Paths of many imagined apps, from one seed: what the shipped dictionary is trained on.

The apps, words and shapes are chosen for breadth. No benchmark's corpus is among them.
"""

import random
import struct

APPS = """ShopApp Shop Store Market Mail MailApp Inbox Files Drive Reader ReaderApp Library Books Music Player Podcasts
Photos Gallery Camera Maps Travel Trips Flights Hotels Recipes Kitchen Fitness Health Workout Chat Messenger Social Feed
News NewsApp Weather Calendar Notes Tasks Todo Reminders Projects Contacts Banking Wallet Finance Budget Games Sports
School Courses Learn Dictionary Translate Video TV Movies Events Tickets Jobs CRM Helpdesk Admin Settings MyApp App Demo
Kiosk Museum Garden Home SmartHome Car Bikes Clinic Pharmacy Office Desk Board Wiki Code Browser""".split()

TYPES = """Route Screen Destination Page Item Product Category Order Message Thread Folder File Document User Profile
Account Settings Section Tab Filter Search Home Detail List Photo Album Video Song Artist Playlist Movie Book Chapter Event
Task Project Contact Group Channel Chat Post Article Place City Recipe Step Workout Goal Invoice Payment Cart Checkout
Review Comment Draft Note Reminder Station Flight Hotel Booking Room Ticket Issue Course Lesson Word Game Team Match""".split()

WORDS = """the and for with your new all from this best more home blue black white green red yellow orange purple grey brown
pink small large medium mini max pro ultra plus lite classic modern retro vintage smart digital wireless fast slow light
heavy soft warm cool cold hot fresh organic natural local premium basic deluxe standard custom winter summer spring autumn
jacket shirt shoes boots coat dress hat gloves socks scarf bag wallet belt watch ring glasses men's women's kids baby
running walking hiking cycling swimming yoga football tennis basketball cotton leather wool silk linen wooden steel glass
ceramic plastic paper metal gold silver copper desk chair table lamp sofa bed shelf cabinet mirror carpet curtain pillow
blanket kitchen knife pan pot plate bowl cup mug bottle fork spoon oven fridge kettle toaster blender coffee tea juice water
milk bread butter cheese egg rice pasta soup salad fruit apple banana lemon berry tomato potato onion garlic chocolate cake
cookie sugar salt pepper oil wine beer phone tablet laptop computer monitor keyboard mouse printer camera headphones
speaker charger cable adapter battery screen case cover stand holder USB-C HDMI Bluetooth LED RGB 4K XL XXL vinyl record
player radio guitar piano drum violin music book novel story guide manual magazine journal notebook pen pencil brush paint
canvas garden plant flower tree seed soil pot tool hammer drill saw screw nail ladder paint tape car bike truck bus train
plane boat ticket map hotel room beach mountain lake river forest island city park museum theatre cinema station airport
meeting project report invoice receipt contract budget plan schedule agenda notes summary draft review feedback question
answer request offer order payment delivery shipping return refund discount sale gift voucher membership subscription
weekly monthly yearly daily today tomorrow yesterday Monday Tuesday Wednesday Thursday Friday Saturday Sunday January
February March April May June July August September October November December morning evening night hello thanks please
welcome regards see attached following can move let know need call back soon later Kopfhörer Größe Straße Überweisung
Rechnung Einstellungen Freunde Bücher Küche Geschäft Danke schön für und mit das die der ein eine café naïve déjà crème
résumé Réunions année été français cliché piñata mañana niño señor corazón 日本 茶碗 資料 東京 設定 検索 写真 音楽 手紙 請求書 未読
中文 北京 你好 한국 서울 Москва Привет""".split()

TAGS = """sale new bestseller eco clearance premium kids outdoor indoor travel gift limited featured popular trending
archived draft important urgent personal work family shared private public todo done later favorite starred unread""".split()
FOLDERS = """Inbox Archive Projects Invoices Photos Taxes Receipts Design Personal Travel Documents Downloads Desktop Music
Videos Pictures Templates Shared Trash Sent Drafts Work School Recipes Backups""".split()
SECTIONS = """general account privacy notifications appearance language storage security about help display sound network
accessibility keyboard home search library profile feed discover""".split()
HOSTS = """www.example.com shop.example.org docs.example.net news.example.co.uk example.com example.org api.example.com
cdn.example.net blog.example.com www.example.org""".split()
FACETS = {"color": "red blue black white green".split(), "size": "XS S M L XL".split(),
          "brand": "Acme Nordwind Globex Initech Umbra".split(), "material": "cotton wool steel wood leather".split(),
          "sort": "price date name rating".split(), "status": "open closed pending active".split()}
MAIL = "example.com example.org mail.example.net".split()


class Corpus:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def phrase(self, low, high):
        return " ".join(self.random.choice(WORDS) for _ in range(self.random.randint(low, high)))

    def uuid(self):
        return ("uuid", "%032x" % self.random.getrandbits(128))

    def date(self):
        return ("date", struct.unpack("<Q", struct.pack("<d", self.random.randrange(700_000_000_000, 830_000_000_000) / 1000))[0])

    def price(self):
        return ("double", struct.unpack("<Q", struct.pack("<d", self.random.randrange(99, 60000) / 100))[0])

    def big(self):
        return ("int", self.random.randrange(1_690_000_000_000, 1_790_000_000_000) << 22 & (1 << 63) - 1 | self.random.getrandbits(22))

    def url(self):
        r = self.random
        text = "https://%s/%s/%d" % (r.choice(HOSTS), r.choice(TAGS + WORDS[:40]), r.randrange(100000))
        if r.random() < 0.5:
            text += "?%s=%s" % (r.choice(["ref", "id", "q", "page", "utm_source"]), r.choice(TAGS))
        return ("url", text)

    def scalar(self, key):
        r = self.random
        if key in ("title", "name", "subject", "subtitle", "label", "caption"):
            return ("str", r.choice(FOLDERS) if r.random() < 0.2 else self.phrase(1, 5))
        if key in ("body", "text", "note", "query", "description", "summary"):
            return ("str", self.phrase(1, 7))
        if key in ("price", "amount", "total", "rating"):
            return self.price()
        if key.endswith("At") or key in ("date", "timestamp", "start", "end"):
            return self.date()
        if key in ("tags", "labels"):
            return ("array", [("str", r.choice(TAGS)) for _ in range(r.randrange(5))])
        if key == "to":
            return ("array", [("str", "user%d@%s" % (r.randrange(1000), r.choice(MAIL))) for _ in range(r.randint(1, 3))])
        if key in ("filters", "facets", "options"):
            chosen = r.sample(sorted(FACETS), r.randrange(4))
            return ("map", [(facet, ("str", r.choice(FACETS[facet]))) for facet in chosen])
        if key in ("section", "tab", "sort", "status", "kind", "type", "theme"):
            return ("str", r.choice(SECTIONS + TAGS)) if r.random() < 0.7 else ("int", r.randrange(6))
        if key in ("url", "link", "image"):
            return self.url()
        if key.startswith("is") or key in ("unread", "read", "done"):
            return ("bool", r.random() < 0.5)
        if key in ("id", "parent", "userID", "productID", "orderID", "thread", "account"):
            return r.choice([self.uuid, self.uuid, self.big, lambda: ("int", r.randrange(100_000))])()
        return ("int", r.randrange(300))

    KEYS = """id name title text url kind type parent user userID query section tab tags price amount total rating image
    subject body to createdAt updatedAt sentAt date start end status isRead unread isFavorite done count index page number
    variant quantity priority level sort filters facets range min max thread account productID orderID label labels note
    caption subtitle description size color latitude longitude""".split()

    def shape(self):
        r = self.random
        keys = r.sample(self.KEYS, r.randint(1, 5))
        if r.random() < 0.7 and "id" not in keys:
            keys.insert(0, "id")
        return keys

    def struct(self, keys):
        r = self.random
        return ("object", [(key, self.scalar(key)) for key in keys if r.random() < 0.85 or key == keys[0]])

    CASES = """home search product item profile settings web tab compose detail list category order message folder
    document user account photo album event task project contact group chat post article place login help about""".split()

    def enum(self):
        r = self.random
        case = r.choice(self.CASES)
        shape = {"home": [], "search": ["query"], "product": ["id", "variant"], "profile": ["userID"], "web": ["_0"],
                 "settings": ["_0"], "tab": ["_0"], "compose": ["to", "draft"]}.get(case) or r.choice([["id"], ["_0"], ["id", "title"], []])
        members = []
        for key in shape:
            if key == "_0":
                value = {"web": self.url, "tab": lambda: ("int", r.randrange(6)), "settings": lambda: ("str", r.choice(SECTIONS))}.get(case, lambda: self.scalar("id"))()
            elif key == "draft":
                value = self.struct(["subject", "body", "priority"])
            else:
                value = self.scalar(key)
            if r.random() < 0.85 or key == "_0":
                members.append((key, value))
        return ("object", [(case, ("object", members))])

    def app(self):
        """A module, and some types of it with their shapes."""
        r = self.random
        return r.choice(APPS), [(r.choice(TYPES), self.shape()) for _ in range(4)]

    def path(self):
        """Tags and values in one array, as a path encodes itself; half of them as elements."""
        r = self.random
        module, types = self.app()
        elements = []
        for _ in range(r.randint(1, 6)):
            dice = r.random()
            if dice < 0.35:
                elements.append((module + "." + r.choice(["Route", "Screen", "Destination", "Page", "Route"]), self.enum()))
            elif dice < 0.85:
                name, keys = r.choice(types)
                elements.append((module + "." + name, self.struct(keys)))
            else:
                elements.append(r.choice([("Swift.Int", ("int", r.randrange(100_000))), ("Swift.String", ("str", self.phrase(1, 3))),
                                          ("Foundation.UUID", self.uuid()), ("Foundation.URL", self.url())]))
        return elements

"""Was every card dealt as it was sealed before? python3 verify_deal.py RECORD.json (docs/fairness.md says how)"""
import hashlib, hmac, json, struct, sys

def packed(*parts):  # each part with its length before it
    raw = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in raw)
def numbers(key):  # below 2 ** 32, without end
    for block in range(1 << 60):
        yield from struct.unpack(">8I", hmac.digest(key, block.to_bytes(8, "big"), "sha256"))
def below(words, limit):  # from 0 to limit - 1: a number past the last whole multiple is thrown away
    return next(word for word in words if word < 2**32 - 2**32 % limit) % limit
def shuffled(words, cards):
    for last in range(len(cards) - 1, 0, -1):
        other = below(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards

def faults(record):  # every reason not to trust the deals
    proof, moves, seats, covered = record["proof"], record["moves"], record["seats"], []
    for n, this in enumerate(proof["rounds"], 1):
        if "secret" not in this: yield f"round {n}: begun before deals were sealed"; continue
        place, secret, cuts, times = this["place"], bytes.fromhex(this["secret"]), this.get("cuts", []), this.get("cut_at", [])
        own = (n, f"{proof['match']}.{n}", seats, seats) if place == proof["table"] else (n, "stage", 0, 0)
        if (this["round"], this["number"], len(cuts), len(times)) != own: yield f"round {n}: not this round of this table"
        if hashlib.sha256(packed("snug-commit-v1", place, this["number"], secret)).hexdigest() != this["commitment"]: yield f"round {n}: another secret"
        times = [this["committed_at"], *(at for at in times if at is not None), this["dealt_at"]]
        if min(times) < times[0] or max(times) > times[-1]: yield f"round {n}: sealed after a cut or the deal"
        by_seat = [part for cut in enumerate(cuts, 1) for part in cut]
        key = hmac.digest(secret, packed("snug-shuffle-v1", place, proof["match"], n, len(cuts), *by_seat), "sha256")
        for nth, one in enumerate(this["dealt"]):
            covered += [one["move"]] if "move" in one else []
            move, jokers = moves[one["move"]] if "move" in one else one["taken_back"], one.get("jokers", 0)
            words = numbers(hmac.digest(key, packed(one.get("epoch", ""), nth), "sha256"))
            cards = sorted(one.get("cards") or move.get("cards") or range(1, seats + 1))
            must = shuffled(words, shuffled(words, cards)[jokers:] + ["JK"] * jokers) if move["move"] == "shuffle" else cards[below(words, len(cards))]
            if must not in move.values() or (jokers and len(set(cards)) < len(cards)): yield f"round {n}: {move} does not follow"
    if covered != [at for at, move in enumerate(moves) if move["seat"] == 0]: yield "a move of the dealer's has no proof"
if __name__ == "__main__":
    found = list(faults(json.load(open(sys.argv[1], encoding="utf-8"))))
    sys.exit("\n".join(["NOT honest:", *found])) if found else print("honest")

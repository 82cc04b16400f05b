"""A vision-language model of 60,000 random weights, written to a folder that `transformers serve` can load.

Run by an interpreter that has transformers and torch, not by eyechart's own:
`python tests/bench/models/tiny_vision_model.py FOLDER`. Nothing is downloaded. Characters are tokens, so that
prompts of any text can be counted; a picture costs `PICTURE_TOKENS` for each tile of `TILE_PX` and for the whole.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

TILE_PX = 32
"""Pictures are cut into tiles of this many pixels a side once they are larger."""
LONGEST_SIDE_PX = 128
PATCH_PX = 8
PICTURE_TOKENS = (TILE_PX // PATCH_PX // 2) ** 2
"""Tokens of one tile: patches of 8 pixels, four of them joined into one token."""
LONGEST_PROMPT = 8192
SPECIAL = ("<pad>", "<s>", "</s>", "<image>", "<fake_token_around_image>", "<end_of_utterance>", "<global-img>")
TILES = tuple(f"<row_{row}_col_{col}>" for row in range(1, 7) for col in range(1, 7))
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}:"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    "<end_of_utterance>\n{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}"
)


def write_model(folder: Path) -> None:
    """Write weights, tokenizer and processor of the tiny model into `folder`."""
    import torch  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - not eyechart's dependency
    from transformers import (  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415
        Idefics3Config,
        Idefics3ForConditionalGeneration,
        Idefics3Processor,
    )

    torch.manual_seed(0)
    tokenizer = _tokenizer()
    names = {name: tokenizer.convert_tokens_to_ids(name) for name in SPECIAL}
    config = Idefics3Config(
        image_token_id=names["<image>"],
        scale_factor=2,
        vision_config={
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": TILE_PX,
            "patch_size": PATCH_PX,
            "initializer_range": 0.3,
        },
        text_config={
            "model_type": "llama",
            "vocab_size": len(tokenizer),
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "num_key_value_heads": 2,
            "max_position_embeddings": LONGEST_PROMPT,
            "initializer_range": 0.3,
            "bos_token_id": names["<s>"],
            "eos_token_id": names["</s>"],
            "pad_token_id": names["<pad>"],
        },
    )
    model = Idefics3ForConditionalGeneration(config).eval()
    model.generation_config.eos_token_id = names["</s>"]
    model.generation_config.pad_token_id = names["<pad>"]
    processor = Idefics3Processor(
        _image_processor(), tokenizer, image_seq_len=PICTURE_TOKENS, chat_template=CHAT_TEMPLATE
    )
    model.save_pretrained(folder)
    processor.save_pretrained(folder)


def _image_processor() -> Any:
    from transformers.models.idefics3.image_processing_pil_idefics3 import (  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415
        Idefics3ImageProcessorPil,
    )

    return Idefics3ImageProcessorPil(
        size={"longest_edge": LONGEST_SIDE_PX}, max_image_size={"longest_edge": TILE_PX}
    )


def _tokenizer() -> Any:
    """Return a tokenizer of bytes; the special tokens are one token each."""
    from tokenizers import (  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415
        Tokenizer,
        decoders,
        models,
        pre_tokenizers,
    )
    from transformers import PreTrainedTokenizerFast  # noqa: PLC0415

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {name: number for number, name in enumerate([*SPECIAL, *TILES, *letters])}
    plain = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    plain.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    plain.decoder = decoders.ByteLevel()
    plain.add_special_tokens([*SPECIAL, *TILES])
    return PreTrainedTokenizerFast(
        tokenizer_object=plain,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        model_max_length=LONGEST_PROMPT,
    )


if __name__ == "__main__":
    write_model(Path(sys.argv[1]))

"""Writes a language model of half a megabyte with random weights: make_model.py MODEL.gguf

It knows nothing, but it is a model: llama.cpp loads it, writes noise of printable characters with it
one token at a time, and holds the noise to a grammar where a schema or a tool asks for that.
"""

import pathlib
import sys

import gguf
import numpy

SEED = 0
EMBEDDING, HEADS, FEED_FORWARD, LAYERS, CONTEXT = 64, 4, 128, 2, 4096

# The tokens beyond the 256 bytes, in this order.
END_OF_TEXT, START_OF_TURN, END_OF_TURN = 256, 257, 258


def byte_names():
    """The names that byte-level tokenizers give to bytes."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    names = {byte: chr(byte) for byte in shown}
    hidden = [byte for byte in range(256) if byte not in names]
    names.update({byte: chr(256 + place) for place, byte in enumerate(hidden)})
    return names


def main(path):
    rng = numpy.random.default_rng(SEED)
    names = byte_names()
    tokens = [names[byte] for byte in range(256)]
    kinds = [gguf.TokenType.NORMAL] * 256
    for token in ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]:
        tokens.append(token)
        kinds.append(gguf.TokenType.CONTROL)
    tokens.append(names[ord("a")] + names[ord("b")])
    # The last token opens a tool call, so that a request can ask for it by its number, 260.
    tokens.append(names[ord("<")] + "tool_call>" + names[ord("\n")])
    kinds += [gguf.TokenType.NORMAL] * 2

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny-random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(EMBEDDING // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([names[ord("a")] + " " + names[ord("b")]])
    writer.add_bos_token_id(END_OF_TEXT)
    writer.add_eos_token_id(END_OF_TURN)
    writer.add_add_bos_token(False)
    writer.add_chat_template((pathlib.Path(__file__).parent / "chat.jinja").read_text())

    def noise(*shape):
        return (rng.standard_normal(shape) * 0.3).astype(numpy.float32)

    # Steered to printable characters and the end of the turn, away from blanks.
    embedding, output = noise(len(tokens), EMBEDDING), noise(len(tokens), EMBEDDING)
    embedding[:, 0] = 8
    output[:, 0] = -12
    output[33:127, 0] = 0
    output[END_OF_TURN, 0] = 1
    ones = numpy.ones(EMBEDDING, numpy.float32)
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output_norm.weight", ones)
    writer.add_tensor("output.weight", output)
    square = (EMBEDDING, EMBEDDING)
    shapes = {"attn_q": square, "attn_k": square, "attn_v": square, "attn_output": square}
    shapes |= {"ffn_gate": (FEED_FORWARD, EMBEDDING), "ffn_up": (FEED_FORWARD, EMBEDDING)}
    shapes |= {"ffn_down": (EMBEDDING, FEED_FORWARD)}
    for layer in range(LAYERS):
        for name, shape in shapes.items():
            writer.add_tensor(f"blk.{layer}.{name}.weight", noise(*shape))
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", ones)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main(sys.argv[1])

"""Parameter counts by architecture: one idea a module, each naming the tensors that it adds.

Letters: h hidden_size, L num_hidden_layers, a num_attention_heads, k num_key_value_heads,
d head_dim, I intermediate_size, V vocab_size, E num_experts, r ranks of latent attention.
"""
